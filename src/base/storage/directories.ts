import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, posix, resolve, win32 } from 'node:path'
import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { describeUnlessPlain, nearestExisting } from './own-file.ts'
import { describeSystemError } from './system-error.ts'

/** Environment variables, passed in so that nothing here reads `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Where each platform keeps files, below the home directory; `variable` and `folder` are for Windows. */
const PLACES = {
  CONFIG: {
    ...{ linux: ['.config'], mac: ['Library', 'Preferences'] },
    ...{ windows: ['AppData', 'Roaming'], variable: 'APPDATA', folder: 'Config' },
  },
  DATA: {
    ...{ linux: ['.local', 'share'], mac: ['Library', 'Application Support'] },
    ...{ windows: ['AppData', 'Local'], variable: 'LOCALAPPDATA', folder: 'Data' },
  },
  CACHE: {
    ...{ linux: ['.cache'], mac: ['Library', 'Caches'] },
    ...{ windows: ['AppData', 'Local'], variable: 'LOCALAPPDATA', folder: 'Cache' },
  },
} as const

/** The directory of the profiles, absolute; may not exist yet. Fails: USAGE for a relative PARTNER_CONFIG_DIR. */
export function configDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return findDirectory('CONFIG', env, platform)
}

/** The directory of lasting data: open operations, cursors, the sandbox. Fails: as {@link configDirectory}. */
export function dataDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return findDirectory('DATA', env, platform)
}

/** The directory of files that may be deleted at any time. Fails: as {@link configDirectory}. */
export function cacheDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return findDirectory('CACHE', env, platform)
}

/** The user's home directory, even in the empty environment of cron. Fails: INTERNAL if there is none. */
export function homeDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  const fromEnv = platform === 'win32' ? env['USERPROFILE'] : env['HOME']
  // os.homedir() returns an empty or relative $HOME as it is; userInfo() asks the system.
  for (const candidate of [() => fromEnv, homedir, () => userInfo().homedir]) {
    try {
      const path = candidate()
      if (path !== undefined && isAbsolute(path)) return path
    } catch {
      // The list of users has no entry.
    }
  }
  throw new Failure('INTERNAL', 'there is no home directory to keep files in', {
    hint: 'set HOME, or PARTNER_CONFIG_DIR, PARTNER_DATA_DIR and PARTNER_CACHE_DIR, to absolute paths',
  })
}

function findDirectory(kind: keyof typeof PLACES, env: Variables, platform: NodeJS.Platform): string {
  const { isAbsolute, join, normalize } = platform === 'win32' ? win32 : posix
  const place = PLACES[kind]
  const override = env[`PARTNER_${kind}_DIR`]
  if (override !== undefined && override !== '') {
    if (isAbsolute(override)) return normalize(override)
    // A relative path would be different directories by hand and from cron.
    const tilde = override.startsWith('~') ? '; the shell leaves a quoted ~ as it is' : ''
    throw new Failure('USAGE', `PARTNER_${kind}_DIR must be an absolute path, not "${override}"`, {
      hint: `write the whole path, from the root${tilde}`,
    })
  }
  const rootOf = (variable: string, below: readonly string[]) => {
    const given = env[variable]
    // XDG says to ignore a value that is not absolute.
    return given !== undefined && isAbsolute(given) ? given : join(homeDirectory(env, platform), ...below)
  }
  if (platform === 'win32') return join(rootOf(place.variable, place.windows), 'partner', place.folder)
  if (platform === 'darwin') return join(homeDirectory(env, platform), ...place.mac, 'partner')
  return join(rootOf(`XDG_${kind}_HOME`, place.linux), 'partner')
}

/**
 * Makes a directory and its parents that only their owner may enter, and restricts an existing one unless it is shared,
 * such as `/tmp`, `/etc` or the home directory. Returns null if it is private, else a warning. Fails: USAGE if the path
 * is something else; INTERNAL.
 */
export function ensurePrivateDirectory(path: string): string | null {
  let stats: Stats
  try {
    makeDirectories(resolve(path))
    stats = statSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new Failure('USAGE', `${path} cannot be a directory: ${inTheWayOf(path)}`, {
        hint: 'move it away, or set PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR to another directory',
      })
    throw new Failure('INTERNAL', `cannot make the directory ${path}: ${describeSystemError(error)}`, {
      hint: 'set PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR to a directory that you may write to',
      cause: error,
    })
  }
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return null
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
  if (isSharedDirectory(path, stats))
    return `other users may enter ${path} (mode ${mode}); left as it is, because it is not partner's own directory`
  try {
    chmodSync(path, 0o700)
    return null
  } catch (error) {
    return `other users may enter ${path} (mode ${mode}), and partner cannot change that: ${describeSystemError(error)}`
  }
}

function inTheWayOf(path: string): string {
  const nearest = nearestExisting(resolve(path))
  if (nearest === null) return 'something is in the way'
  const kind = nearest.stats.isSymbolicLink()
    ? 'a symbolic link that leads to no directory'
    : (describeUnlessPlain(nearest.stats) ?? 'a file')
  return `${kind} is in the way${nearest.path === resolve(path) ? '' : `: ${nearest.path}`}`
}

/** Node's `recursive: true` never returns when a parent exists but takes no directories (`/proc`). */
function makeDirectories(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makeDirectories(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    // The umask may take rights away, even the owner's.
    chmodSync(path, 0o700)
  } catch (error) {
    // Another process may have just made it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function isSharedDirectory(path: string, stats: Stats): boolean {
  const sticky = (stats.mode & 0o1000) !== 0
  const isHome = attempt(() => resolve(path) === homedir(), false)
  return sticky || stats.uid !== process.getuid?.() || dirname(dirname(path)) === dirname(path) || isHome
}
