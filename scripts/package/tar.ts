/** A file in an archive. */
export interface ArchivedFile {
  /** The path of the file in the archive, with `/` between its parts. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

/**
 * The modification time of every file in an archive, as in npm packages. It is fixed, so that two builds are identical.
 */
export const FIXED_TIME_S = Date.UTC(1985, 9, 26, 8, 15) / 1000

const BLOCK = 512
const FOLDER = '5'
const FILE = '0'

/** Sorts files by path, independently of the locale. */
export function inOrder(files: readonly ArchivedFile[]): ArchivedFile[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Creates a tar archive (ustar) of files and their folders. Owners, times and order are fixed, so the archive depends
 * only on the files.
 */
export function tar(files: readonly ArchivedFile[]): Uint8Array {
  const parts: Uint8Array[] = []
  const folders = new Set<string>()
  for (const { path, bytes, isExecutable } of inOrder(files)) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at + 1)
      if (!folders.has(folder)) parts.push(header(folder, 0o755, 0, FOLDER))
      folders.add(folder)
    }
    parts.push(header(path, isExecutable ? 0o755 : 0o644, bytes.length, FILE), bytes)
    parts.push(new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK))
  }
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)])
}

/** Reads a tar archive created by npm. Fails if a path is too long for ustar, or if the archive is truncated. */
export function untar(archive: Uint8Array): ArchivedFile[] {
  const files: ArchivedFile[] = []
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length)
  for (let at = 0; bytes[at] !== 0; ) {
    if (at + BLOCK > bytes.length) throw new Error('the archive is truncated')
    const text = (from: number, length: number) =>
      bytes.toString('utf8', at + from, at + from + length).split('\0', 1)[0] ?? ''
    const size = Number.parseInt(text(124, 12), 8)
    const [name, prefix, kind] = [text(0, 100), text(345, 155), text(156, 1)]
    if (kind !== FILE && kind !== FOLDER && kind !== '')
      throw new Error(`the archive contains ${name}, whose type is unknown: ${kind}`)
    const start = at + BLOCK
    if (start + size > bytes.length) throw new Error('the archive is truncated')
    if (kind !== FOLDER)
      files.push({
        path: prefix === '' ? name : `${prefix}/${name}`,
        bytes: bytes.subarray(start, start + size),
        isExecutable: (Number.parseInt(text(100, 8), 8) & 0o100) !== 0,
      })
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

function header(path: string, mode: number, size: number, kind: string): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  const [prefix, name] = splitPath(path)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(name, 0, 'utf8')
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(FIXED_TIME_S, 136, 12)
  block.write(kind, 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  block.write(prefix, 345, 'utf8')
  block.fill(' ', 148, 156)
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return block
}

/** Splits a path for a tar header, which has 155 bytes for the folders and 100 bytes for the rest. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, name]
  }
  throw new Error(`the path is too long for a tar archive: ${path}`)
}
