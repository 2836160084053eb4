/** Whether the tool runs in Node for Windows. In Wine, the root directory of Linux is the drive Z:. */
const IS_WINDOWS = process.env['PARTNER_TEST_BRIDGE'] !== undefined

/** Returns an absolute path as the tool prints it. */
export function shownPath(path: string): string {
  return IS_WINDOWS ? `Z:${path.replaceAll('/', '\\')}` : path
}

/** Replaces a directory in the tool's output. Afterwards, paths in this directory have slashes on every system. */
export function replaceDirectory(text: string, directory: string, instead: string): string {
  const shown = shownPath(directory)
  const pieces = text.replaceAll(directory, () => instead).split(shown)
  return pieces.map((piece, at) => (at === 0 ? piece : instead + withSlashes(piece))).join('')
}

/** Replaces the backslashes in the path at the start of a text. In JSON, each of them is doubled. */
function withSlashes(text: string): string {
  return text.replace(/^(?:\\+[^\\\s"':]+)+/, (path) => path.replace(/\\+/g, '/'))
}
