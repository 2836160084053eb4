import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseUpdateUrl, UPDATE_FILE } from '../../src/terminal/update/source.ts'
import { isBuilt } from '../build/freshness.ts'

// npm runs this script before it creates a package. The script ensures that all files exist and are identical on every
// machine.

/** Builds dist/ if it is out of date and removes everything machine-dependent from the files to pack. */
export function prepare(root: string): void {
  if (!isBuilt(root))
    execFileSync(process.execPath, [join(root, 'scripts', 'build', 'build.ts')], { cwd: root, stdio: ['ignore', 2, 2] })
  noteUpdates(join(root, 'dist'), process.env)
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[]
  }
  // The npm package records file modes, which would otherwise depend on the user's umask.
  for (const name of [...files.filter((name) => !name.startsWith('!')), 'package.json', 'README.md', 'LICENSE'])
    for (const path of [name, ...globSync(`${name}/**`, { cwd: root })]) {
      const file = join(root, path)
      const { mode } = statSync(file)
      chmodSync(file, mode & 0o100 ? 0o755 : 0o644)
    }
}

/**
 * If the environment contains the URL that announces newer releases, writes it to dist/. Fails if it is not a plain
 * https URL.
 */
export function noteUpdates(dist: string, env: Readonly<Record<string, string | undefined>>): void {
  const file = join(dist, UPDATE_FILE)
  rmSync(file, { force: true })
  const { PARTNER_UPDATE_URL: url = '', PARTNER_UPDATE_PAGE: page = '' } = env
  for (const [name, address] of Object.entries({ PARTNER_UPDATE_URL: url, PARTNER_UPDATE_PAGE: page }))
    if (address !== '' && parseUpdateUrl(address) === null)
      throw new Error(`${name} must be an https address, without a user name, a password, a query and a fragment`)
  if (url !== '') writeFileSync(file, `${JSON.stringify({ url, page: page === '' ? null : page })}\n`)
}

if (process.argv[1] === import.meta.filename) prepare(join(import.meta.dirname, '..', '..'))
