import { resolve, win32 } from 'node:path'

/** Matches the names that Windows reserves for devices, with any extension. Superscript digits count as digits. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:[.:].*)?$/i
const FORBIDDEN = /[<>"|?*\0-\x1f]/

/**
 * Returns why a path cannot be used on Windows, as text that follows the path in a sentence. Windows would redirect
 * such a path to a device or to another file, or create a file that other programs cannot open. Returns `null` if the
 * path is usable. On other systems, always returns `null`.
 */
export function findNameProblem(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== 'win32') return null
  if (/^[\\/]{2}\.[\\/]/.test(path)) return 'is a device'
  const { root } = win32.parse(path)
  for (const name of path.slice(root.length).split(/[\\/]/)) {
    const problem = /^\.{0,2}$/.test(name) ? null : problemOf(name)
    if (problem !== null) return name === path ? problem : `contains ${JSON.stringify(name)}, which ${problem}`
  }
  return null
}

function problemOf(name: string): string | null {
  if (DEVICE.test(name)) return 'is a device on Windows'
  if (name.includes(':')) return 'has a colon and so names a stream of another file on Windows'
  if (/[. ]$/.test(name)) return 'ends in a dot or space, which Windows removes'
  const [sign] = FORBIDDEN.exec(name) ?? []
  return sign === undefined ? null : `contains ${JSON.stringify(sign)}, which Windows does not allow`
}

/**
 * Returns the file name for a name that the user chose. Windows ignores case and reserves some names, so on Windows the
 * name is encoded to stay distinct and valid. Other systems use the name unchanged.
 */
export function fileNameFor(name: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return name
  const lower = name.replace(/[A-Z]/g, (letter) => `^${letter.toLowerCase()}`)
  return findNameProblem(lower, platform) === null ? lower : `^^${lower}`
}

/** Returns the absolute path, in lower case on Windows, so that equivalent paths compare as equal. */
export function comparablePath(path: string): string {
  return process.platform === 'win32' ? resolve(path).toLowerCase() : resolve(path)
}
