import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files and directories from which dist/ is built. */
const SOURCES = ['src', 'scripts', 'bin', 'docs', 'package.json', 'package-lock.json']

/** Files in the source directories that the build itself generates. */
const MADE = new Set(['commands.md', 'openapi.json', 'schemas'])

/** Whether dist/ is complete and newer than all its inputs. */
export function isBuilt(root: string): boolean {
  const bundle = join(root, 'dist', 'partner.cjs')
  // A missing code cache means that the build was interrupted, because the cache is written last.
  const isWhole = [bundle, join(root, 'dist', 'code-cache'), bundledFile(root)].every((file) => existsSync(file))
  return isWhole && Math.max(...SOURCES.map((source) => newestIn(join(root, source)))) <= statSync(bundle).mtimeMs
}

/** Returns the path of the file that contains esbuild's metafiles. They list the packages in each bundle. */
export function bundledFile(root: string): string {
  return join(root, '.build', 'bundled.json')
}

/**
 * Returns the time of the last change to a file, or to anything in a directory. Removing a file counts as a change to
 * its directory.
 */
function newestIn(path: string): number {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return readdirSync(path)
    .filter((name) => !MADE.has(name))
    .reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), mtimeMs)
}
