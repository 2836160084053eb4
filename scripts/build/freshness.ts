import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What dist/ is made from. */
const SOURCES = ['src', 'scripts', 'bin', 'docs', 'package.json', 'package-lock.json']

/** Made by the build itself. */
const MADE = new Set(['commands.md', 'openapi.json', 'schemas'])

/** Whether dist/ is whole, and newer than everything that it is made from. */
export function isBuilt(root: string): boolean {
  const bundle = join(root, 'dist', 'partner.cjs')
  // The code cache is the last thing that a build makes: without one it was broken off.
  const isWhole = [bundle, join(root, 'dist', 'code-cache'), bundledFile(root)].every((file) => existsSync(file))
  return isWhole && Math.max(...SOURCES.map((source) => newestIn(join(root, source)))) <= statSync(bundle).mtimeMs
}

/** Where the build says which packages are in its bundles: a list of esbuild's metafiles. */
export function bundledFile(root: string): string {
  return join(root, '.build', 'bundled.json')
}

/** When a file, or anything in a directory, was last changed; taking a file away changes the directory. */
function newestIn(path: string): number {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return readdirSync(path)
    .filter((name) => !MADE.has(name))
    .reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), mtimeMs)
}
