import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, posix, resolve, win32 } from 'node:path'
import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { findNameProblem } from '../windows-names.ts'
import { describeUnlessPlain, nearestExisting } from './own-file.ts'
import { describeSystemError } from './system-error.ts'
import { restrictAccess } from './windows-access.ts'

/** The environment variables. They are passed in so that this module does not read `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The directories for each platform, relative to the home directory. `variable` and `folder` apply only to Windows. */
const LOCATIONS = {
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

/**
 * Returns the absolute path of the directory for profiles, which need not exist yet. Throws USAGE if a variable
 * contains a relative path.
 */
export function configDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return findDirectory('CONFIG', env, platform)
}

/**
 * Returns the directory for permanent data, such as open operations, cursors and the sandbox. Throws the same errors as
 * {@link configDirectory}.
 */
export function dataDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return findDirectory('DATA', env, platform)
}

/**
 * Returns the directory for files that may be deleted at any time. Throws the same errors as {@link configDirectory}.
 */
export function cacheDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  return findDirectory('CACHE', env, platform)
}

/**
 * Returns the user's home directory, even under cron, which may set no environment variables. Throws INTERNAL if it
 * cannot be determined.
 */
export function homeDirectory(env: Variables, platform: NodeJS.Platform = process.platform): string {
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  const fromEnv = platform === 'win32' ? env['USERPROFILE'] : env['HOME']
  // os.homedir() returns $HOME unchanged, even if it is empty or relative. userInfo() asks the operating system.
  for (const candidate of [() => fromEnv, homedir, () => userInfo().homedir]) {
    try {
      const path = candidate()
      // On Windows, an absolute path may lack a drive letter, so resolve it.
      if (path !== undefined && isAbsolute(path)) return platform === 'win32' ? win32.resolve(path) : path
    } catch {
      // userInfo() throws if the operating system has no entry for the user.
    }
  }
  throw new Failure('INTERNAL', 'partner cannot find a home directory to store files in', {
    hint: 'set HOME, or PARTNER_CONFIG_DIR, PARTNER_DATA_DIR and PARTNER_CACHE_DIR, to absolute paths',
  })
}

/** Returns the directory for roaming application data on Windows. */
export function roamingDirectory(env: Variables): string {
  return env['APPDATA'] || win32.join(homeDirectory(env, 'win32'), 'AppData', 'Roaming')
}

function findDirectory(kind: keyof typeof LOCATIONS, env: Variables, platform: NodeJS.Platform): string {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix
  const location = LOCATIONS[kind]
  const override = env[`PARTNER_${kind}_DIR`]
  if (override !== undefined && override !== '') {
    const problem = findNameProblem(override, platform)
    if (problem !== null)
      throw new Failure('USAGE', `PARTNER_${kind}_DIR: ${override} ${problem}`, { hint: 'choose another directory' })
    if (isAbsolute(override)) return platform === 'win32' ? win32.resolve(override) : posix.normalize(override)
    // A relative path would refer to different directories in a shell and in a cron job.
    const tilde = override.startsWith('~') ? '; the shell does not expand a quoted ~' : ''
    throw new Failure('USAGE', `PARTNER_${kind}_DIR must be an absolute path, not "${override}"`, {
      hint: `pass the full path, starting at the root${tilde}`,
    })
  }
  const rootOf = (variable: string, below: readonly string[]) => {
    const given = env[variable]
    // The XDG specification requires programs to ignore relative paths.
    return given !== undefined && isAbsolute(given) ? given : join(homeDirectory(env, platform), ...below)
  }
  if (platform === 'win32')
    return win32.resolve(rootOf(location.variable, location.windows), 'partner', location.folder)
  if (platform === 'darwin') return join(homeDirectory(env, platform), ...location.mac, 'partner')
  return join(rootOf(`XDG_${kind}_HOME`, location.linux), 'partner')
}

/**
 * Creates a directory and its parents, accessible only to the owner. If the directory exists, restricts access to it,
 * unless it is a shared one (`/tmp`, `/etc`, the home directory). Returns a warning if other users can access the
 * directory, otherwise `null`. On Windows, does not check an existing directory, because that takes two child
 * processes. Throws USAGE if the path is not a directory, or INTERNAL if the directory cannot be created.
 */
export function ensurePrivateDirectory(path: string): string | null {
  let stats: Stats
  let warning: string | null
  try {
    warning = makePrivateDirectory(path)
    stats = statSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new Failure('USAGE', `cannot use ${path} as a directory: ${describeObstacle(path)}`, {
        hint: 'move it aside, or set PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR to another directory',
      })
    throw new Failure('INTERNAL', `cannot create the directory ${path}: ${describeSystemError(error)}`, {
      hint: 'set PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR to a directory that you may write to',
      cause: error,
    })
  }
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return warning
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
  if (isSharedDirectory(path, stats))
    return `other users can access ${path} (mode ${mode}); left unchanged because the directory is not partner's own`
  try {
    chmodSync(path, 0o700)
    return null
  } catch (error) {
    return `other users can access ${path} (mode ${mode}); partner cannot change that: ${describeSystemError(error)}`
  }
}

function describeObstacle(path: string): string {
  const nearest = nearestExisting(resolve(path))
  if (nearest === null) return 'something is in the way'
  const kind = nearest.stats.isSymbolicLink()
    ? 'a dangling symbolic link'
    : (describeUnlessPlain(nearest.stats) ?? 'a file')
  return `${kind} is in the way${nearest.path === resolve(path) ? '' : `: ${nearest.path}`}`
}

/**
 * Creates a directory and its parents, accessible only to the owner. Does nothing if the directory exists. Returns a
 * warning if access to a new directory cannot be restricted on Windows, otherwise `null`. Throws system errors.
 */
export function makePrivateDirectory(path: string): string | null {
  const outermost = makeDirectories(resolve(path))
  return process.platform === 'win32' && outermost !== null ? restrictAccess(outermost) : null
}

/**
 * Replaces Node's `recursive: true`, which never returns if directories cannot be created in an existing parent, such
 * as `/proc`. Returns the outermost new directory, or `null` if there is none.
 */
function makeDirectories(path: string): string | null {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return null
  const parent = dirname(path)
  const outermost = parent === path ? null : makeDirectories(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    // Sets the mode again, because the umask may have removed permissions, even the owner's.
    chmodSync(path, 0o700)
    return outermost ?? path
  } catch (error) {
    // If the directory exists now, another process has just created it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
    return outermost
  }
}

function isSharedDirectory(path: string, stats: Stats): boolean {
  const sticky = (stats.mode & 0o1000) !== 0
  const isHome = attempt(() => resolve(path) === homedir(), false)
  return sticky || stats.uid !== process.getuid?.() || dirname(dirname(path)) === dirname(path) || isHome
}
