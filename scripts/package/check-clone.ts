import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm } from './npm.ts'

// Builds release/ again in a clone in a different folder, with a different time zone, language and umask. Checks that
// the checksums match those of the existing release/.

const root = join(import.meta.dirname, '..', '..')
const place = mkdtempSync(join(tmpdir(), 'another place for partner '))
const clone = join(place, 'clone')

const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
if (changed !== '')
  throw new Error(`commit these changes first, because a clone contains only committed files:\n${changed}`)

try {
  process.umask(0o077)
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone], { stdio: 'inherit' })
  const env = { ...process.env, TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  npm(clone, ['ci', '--no-audit', '--no-fund', '--prefer-offline'], env)
  npm(clone, ['run', 'package'], env)
  const [here, there] = [root, clone].map((folder) => readFileSync(join(folder, 'release', 'SHA256SUMS'), 'utf8'))
  if (here !== there) throw new Error(`two clones produce different files:\n\nhere\n${here}\nthere\n${there}`)
  process.stdout.write(`ok: another clone makes the same files\n${here}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
