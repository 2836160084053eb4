import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Fails when a generated file that is committed is not what the source makes of it now.

const root = join(import.meta.dirname, '..', '..')
const GENERATED = ['.oclif.manifest.json', 'docs/commands.md', 'docs/openapi.json']

const text = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null)
const before = GENERATED.map(text)
execFileSync(process.execPath, [join(root, 'scripts', 'build', 'build.ts')], {
  cwd: root,
  stdio: 'inherit',
  timeout: 180_000,
})
const stale = GENERATED.filter((file, index) => text(file) !== before[index])
if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')} did not match the source; made anew, commit it\n`)
  process.exitCode = 1
}
