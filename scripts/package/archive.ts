import { gzipSync, zipSync } from 'fflate'
import { type ArchivedFile, inOrder, tar } from './tar.ts'

// The archives are compressed with fflate, because the output of zlib depends on the processor.

/** Creates a .tar.gz whose bytes depend only on its files. */
export function tarball(files: readonly ArchivedFile[]): Uint8Array {
  return gzipSync(tar(files), { level: 6, mtime: 0 })
}

/** Creates a .zip whose bytes depend only on its files. */
export function zip(files: readonly ArchivedFile[]): Uint8Array {
  const entries = inOrder(files).map(({ path, bytes }) => [path, bytes] as const)
  // Zip files store local times without a time zone, so this time is local, too.
  return zipSync(Object.fromEntries(entries), { level: 6, mtime: new Date(1985, 9, 26, 8, 15) })
}

/**
 * Returns the path in an archive for a file from the npm package. Files for users are at the top. Manual pages are next
 * to `bin`, where `man` looks for them. Everything else is in `lib`.
 */
export function placeInArchive(path: string): string {
  if (path.startsWith('dist/man/')) return `share/${path.slice('dist/'.length)}`
  return /^(?:docs\/|[A-Z]+(?:\.md)?$)/.test(path) ? path : `lib/partner/${path}`
}
