import { gzipSync, zipSync } from 'fflate'
import { type ArchivedFile, inOrder, tar } from './tar.ts'

// Compressed by fflate, not by zlib, whose output differs from one processor to another.

/** A file of bytes that depend on the files in it alone. */
export function tarball(files: readonly ArchivedFile[]): Uint8Array {
  return gzipSync(tar(files), { level: 6, mtime: 0 })
}

/** A zip file of bytes that depend on the files in it alone. */
export function zip(files: readonly ArchivedFile[]): Uint8Array {
  const entries = inOrder(files).map(({ path, bytes }) => [path, bytes] as const)
  // A zip file holds the time of the clock on the wall, without its zone.
  return zipSync(Object.fromEntries(entries), { level: 6, mtime: new Date(1985, 9, 26, 8, 15) })
}

/**
 * Where a file of the npm package stands in an archive: what people read at the top, pages of man where `man` looks beside a `bin` that
 * is on PATH, the rest out of their way.
 */
export function placeInArchive(path: string): string {
  if (path.startsWith('dist/man/')) return `share/${path.slice('dist/'.length)}`
  return /^(?:docs\/|[A-Z]+(?:\.md)?$)/.test(path) ? path : `lib/partner/${path}`
}
