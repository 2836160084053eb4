import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './partner.ts'

/** What dist/ is made from. */
const SOURCES = ['src', 'scripts', 'bin', 'package.json', 'package-lock.json']

/** Builds dist/ before the first test, unless it is newer than everything that it is made from. */
export default function setup(): void {
  if (process.env['PARTNER_TEST_BIN'] !== undefined || isFresh()) return
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build', 'build.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 180_000,
  })
}

function isFresh(): boolean {
  const bundle = join(ROOT, 'dist', 'partner.cjs')
  // The code cache is the last thing that a build makes: without one it was broken off.
  const isWhole = existsSync(bundle) && existsSync(join(ROOT, 'dist', 'code-cache'))
  return isWhole && Math.max(...SOURCES.map((source) => newestIn(join(ROOT, source)))) <= statSync(bundle).mtimeMs
}

/** When a file, or anything in a directory, was last changed; taking a file away changes the directory. */
function newestIn(path: string): number {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), mtimeMs)
}
