import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, posix, resolve, win32 } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { describeUnlessPlain, nearestExisting } from './own-file.ts'
import { describeSystemError } from './system-error.ts'

/** Environment variables by name, as `process.env` has them; taken as an argument so that nothing here reads the process's own. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Where one kind of file goes on each platform, by the platform's own rule. Paths are relative to the home directory. */
interface Place {
  readonly override: string
  readonly xdg: string
  readonly linux: readonly string[]
  readonly mac: readonly string[]
  readonly windowsVariable: string
  readonly windowsHome: readonly string[]
  readonly windowsFolder: string
}

const CONFIG: Place = {
  override: 'PARTNER_CONFIG_DIR',
  xdg: 'XDG_CONFIG_HOME',
  linux: ['.config'],
  mac: ['Library', 'Preferences'],
  windowsVariable: 'APPDATA',
  windowsHome: ['AppData', 'Roaming'],
  windowsFolder: 'Config',
}
const DATA: Place = {
  override: 'PARTNER_DATA_DIR',
  xdg: 'XDG_DATA_HOME',
  linux: ['.local', 'share'],
  mac: ['Library', 'Application Support'],
  windowsVariable: 'LOCALAPPDATA',
  windowsHome: ['AppData', 'Local'],
  windowsFolder: 'Data',
}
const CACHE: Place = {
  override: 'PARTNER_CACHE_DIR',
  xdg: 'XDG_CACHE_HOME',
  linux: ['.cache'],
  mac: ['Library', 'Caches'],
  windowsVariable: 'LOCALAPPDATA',
  windowsHome: ['AppData', 'Local'],
  windowsFolder: 'Cache',
}

/** The directory of the profiles, an absolute path that may not exist yet. Fails: USAGE, a relative PARTNER_CONFIG_DIR. */
export function configDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return directoryOf(CONFIG, env, platform)
}

/** The directory of what must outlive a run: open operations, cursors, the sandbox. Fails: as {@link configDirectory}. */
export function dataDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return directoryOf(DATA, env, platform)
}

/** The directory of what may be deleted at any time. Fails: as {@link configDirectory}. */
export function cacheDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return directoryOf(CACHE, env, platform)
}

/**
 * The user's home directory, also in cron's and systemd's empty environment.
 * Fails: INTERNAL when neither the environment nor the system's user list knows one (a container with a bare user id).
 */
export function homeDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  const fromEnv = platform === 'win32' ? env['USERPROFILE'] : env['HOME']
  // os.homedir() repeats an empty or relative $HOME; only userInfo() asks the system itself.
  for (const candidate of [() => fromEnv, homedir, () => userInfo().homedir]) {
    try {
      const path = candidate()
      if (path !== undefined && isAbsolute(path)) return path
    } catch {
      // No entry in the user list: the next candidate, or the failure below.
    }
  }
  throw new Failure('INTERNAL', 'cannot tell where to keep files: there is no home directory', {
    hint: 'set HOME, or PARTNER_CONFIG_DIR, PARTNER_DATA_DIR and PARTNER_CACHE_DIR, to absolute paths',
  })
}

function directoryOf(place: Place, env: Variables, platform: NodeJS.Platform): string {
  const { isAbsolute, join, normalize } = platform === 'win32' ? win32 : posix
  const override = env[place.override]
  if (override !== undefined && override !== '') {
    // Taken relative to wherever the command happens to run, it would be one directory by hand and another from cron.
    if (!isAbsolute(override)) {
      const tilde = override.startsWith('~') ? '; the shell leaves a quoted ~ as it is' : ''
      throw new Failure('USAGE', `${place.override} must be an absolute path, and "${override}" is not one`, {
        hint: `write the whole path, from the root${tilde}`,
      })
    }
    return normalize(override)
  }
  if (platform === 'win32') {
    const base = env[place.windowsVariable]
    const root =
      base !== undefined && isAbsolute(base) ? base : join(homeDirectory(env, platform), ...place.windowsHome)
    return join(root, 'partner', place.windowsFolder)
  }
  if (platform === 'darwin') return join(homeDirectory(env, platform), ...place.mac, 'partner')
  // The XDG rule: a value that is not absolute is ignored.
  const xdg = env[place.xdg]
  const root = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeDirectory(env, platform), ...place.linux)
  return join(root, 'partner')
}

/**
 * Makes a directory (and what leads to it) that only its owner may enter, and takes away the rights of others from one
 * that is there. A directory that is evidently not ours alone is left as it is: one of another user, one with the sticky
 * bit (`/tmp`), the root and what lies directly in it (`/etc`), the home directory.
 * Returns null when it is private, else a warning fit for stderr.
 * Fails: USAGE when something else is at that path, INTERNAL when it cannot be made.
 */
export function ensurePrivateDirectory(path: string): string | null {
  let stats: Stats
  try {
    makeDirectories(resolve(path))
    stats = statSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new Failure('USAGE', `${path} cannot be a directory: ${inTheWayOf(path)}`, {
        hint: 'move it away, or set PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR to another directory',
      })
    }
    throw new Failure('INTERNAL', `cannot make the directory ${path}: ${describeSystemError(error)}`, {
      hint: 'set PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR to a directory that you may write to',
      cause: error,
    })
  }
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return null
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
  if (isSharedDirectory(path, stats)) {
    return `other users may enter ${path} (mode ${mode}); it is left so, as it is not partner's own directory`
  }
  try {
    chmodSync(path, 0o700)
    return null
  } catch (error) {
    return `other users may enter ${path} (mode ${mode}), and that cannot be changed: ${describeSystemError(error)}`
  }
}

/** What stands where a directory is to be, in words, with its path when that is another one. */
function inTheWayOf(path: string): string {
  const nearest = nearestExisting(resolve(path))
  if (nearest === null) return 'something is in the way'
  const kind = nearest.stats.isSymbolicLink()
    ? 'a symbolic link that leads to no directory'
    : (describeUnlessPlain(nearest.stats) ?? 'a file')
  return `${kind} is in the way${nearest.path === resolve(path) ? '' : `: ${nearest.path}`}`
}

/** Not `recursive: true` of Node: that never returns where a parent is there but takes no directories (`/proc`). */
function makeDirectories(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makeDirectories(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    // Whatever the umask, which may even take the owner's own rights away.
    chmodSync(path, 0o700)
  } catch (error) {
    // Another process may have made it in this moment.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function isSharedDirectory(path: string, stats: Stats): boolean {
  const sticky = (stats.mode & 0o1000) !== 0
  return sticky || stats.uid !== process.getuid?.() || dirname(dirname(path)) === dirname(path) || isHome(path)
}

function isHome(path: string): boolean {
  try {
    return resolve(path) === homedir()
  } catch {
    return false
  }
}
