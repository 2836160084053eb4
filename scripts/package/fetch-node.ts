import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { npm } from './npm.ts'
import { LINUX_X64, type NodePackage, type Platform } from './platforms.ts'
import { type ArchivedFile, untar } from './tar.ts'

/** A Node executable to put into an archive, and its licence. */
export interface FetchedNode {
  readonly bytes: Uint8Array
  readonly licence: string
}

/**
 * Fetches the Node executable for a platform, and its licence. Fails if the package is not available or was changed.
 */
export function fetchNode(root: string, platform: Platform): FetchedNode {
  const { node } = platform
  const licence = textOf(filesOf(root, node), 'LICENSE') ?? licenceOfVersion(root, node)
  return { bytes: fetchExecutable(root, platform), licence }
}

/**
 * Fetches the Node executable for a platform from npm. Fails if the package is not available or does not have the
 * expected digest.
 */
export function fetchExecutable(root: string, { node, executable }: Pick<Platform, 'node' | 'executable'>): Uint8Array {
  const bytes = filesOf(root, node).find(({ path }) => path === `package/${executable}`)?.bytes
  if (bytes === undefined) throw new Error(`${node.name}@${node.version} has no ${executable}`)
  return bytes
}

/**
 * Returns Node's licence from a different platform's package, because some packages, such as the one for Windows, lack
 * it.
 */
function licenceOfVersion(root: string, { name, version }: NodePackage): string {
  const licence = version === LINUX_X64.node.version ? textOf(filesOf(root, LINUX_X64.node), 'LICENSE') : undefined
  if (licence === undefined) throw new Error(`${name}@${version} does not contain a licence`)
  return licence
}

function textOf(files: readonly ArchivedFile[], name: string): string | undefined {
  const bytes = files.find(({ path }) => path === `package/${name}`)?.bytes
  return bytes && Buffer.from(bytes).toString('utf8')
}

function filesOf(root: string, { name, version, integrity }: NodePackage): ArchivedFile[] {
  const folder = join(root, '.build', 'node')
  const kept = join(folder, `${name}-${version}.tgz`)
  if (!existsSync(kept) || digestOf(kept) !== integrity) {
    const fresh = join(folder, `fetched-${process.pid}`)
    mkdirSync(fresh, { recursive: true })
    try {
      npm(root, ['pack', `${name}@${version}`, '--pack-destination', fresh])
      const file = join(fresh, `${name}-${version}.tgz`)
      if (digestOf(file) !== integrity)
        throw new Error(
          `${name}@${version} does not have the digest in scripts/package/platforms.ts: ${digestOf(file)}`,
        )
      renameSync(file, kept)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  return untar(gunzipSync(readFileSync(kept)))
}

function digestOf(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}
