import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Fails if a committed file differs from what the build generates.

const root = join(import.meta.dirname, '..', '..')
const GENERATED = ['.oclif.manifest.json', 'docs/commands.md', 'docs/openapi.json', 'docs/schemas/*.json']

/** Reads the generated files in the working tree. Returns the text of each file, by path. */
const texts = () =>
  new Map(globSync(GENERATED, { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')] as const))
const before = texts()
execFileSync(process.execPath, [join(root, 'scripts', 'build', 'build.ts')], {
  cwd: root,
  stdio: 'inherit',
  timeout: 180_000,
})
const after = texts()
const stale = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')} did not match the source; commit the new version\n`)
  process.exitCode = 1
}
