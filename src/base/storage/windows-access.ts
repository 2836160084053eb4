import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt } from '../attempt.ts'
import { discard } from './rename-remove.ts'

/** How long to wait for a program of Windows, in milliseconds. They usually take a twentieth of a second. */
const LIMIT_MS = 10_000

/** Windows itself and the administrators. Like root on Linux, they can access every file. */
const ALWAYS = ['S-1-5-18', 'S-1-5-32-544'] as const

/**
 * The same accounts as SDDL abbreviates them, the owner of the file, and the built-in administrator. Source:
 * https://learn.microsoft.com/windows/win32/secauthz/sid-strings
 */
const EXPECTED: ReadonlySet<string> = new Set([...ALWAYS, 'SY', 'BA', 'CO', 'OW', 'LA'])

/** Names of the groups that permissions often include. Windows itself translates its names. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ WD: 'Everyone', AU: 'Authenticated Users', BU: 'Users', BG: 'Guests', PU: 'Power Users', IU: 'Interactive' },
  ...{ NU: 'Network', AN: 'Anonymous', DU: 'Domain Users', DA: 'Domain Admins', AC: 'All Application Packages' },
}

/**
 * Lets only this user, Windows itself and administrators access a directory and everything in it. Takes two programs,
 * so it is used only for new directories. Returns a warning if that fails, otherwise `null`. Returns `null` too if this
 * user cannot be determined; see {@link findOthersWithAccess}.
 */
export function restrictAccess(directory: string): string | null {
  const grants = grantsFor(true)
  if (grants === null || runSystemProgram('icacls', [directory, ...grants]) !== null) return null
  return `other users may be able to access ${directory}: icacls could not restrict it`
}

/** Returns a command for PowerShell and cmd that restricts access to a file or directory like {@link restrictAccess}. */
export function restrictCommand(path: string, isDirectory: boolean): string {
  const words = [path, ...(grantsFor(isDirectory) ?? [])]
  return ['icacls', ...words.map((word) => (word.startsWith('/') ? word : `"${word}"`))].join(' ')
}

/**
 * Returns the other accounts that have any access to a file or directory, by name or security identifier. Returns
 * `null` if that cannot be determined, for example because the file system has no permissions.
 */
export function findOthersWithAccess(path: string): readonly string[] | null {
  const user = getUserId()
  if (user === null) return null
  const directory = attempt(() => mkdtempSync(join(tmpdir(), 'partner-access-')), null)
  if (directory === null) return null
  try {
    const file = join(directory, 'saved')
    if (runSystemProgram('icacls', [path, '/save', file]) === null) return null
    return parseOthers(
      attempt(() => readFileSync(file, 'utf16le'), ''),
      user,
    )
  } finally {
    discard(directory)
  }
}

/**
 * Parses what `icacls FILE /save` writes: the name of the file, and its permissions in SDDL. `user` is the security
 * identifier of this user. Returns the other accounts that have any access, or `null` if the text has another form.
 * Source: https://learn.microsoft.com/windows/win32/secauthz/ace-strings
 */
export function parseOthers(saved: string, user: string): readonly string[] | null {
  const [, , permissions] = /(^|\n)D:([^\r\n]*)\r?\n*$/.exec(saved) ?? []
  if (permissions === undefined) return null
  // Without a list of permissions, everybody has all of them.
  if (permissions === 'NO_ACCESS_CONTROL') return ['Everyone']
  const [, entries] = /^[A-Z]*((?:\([^()]*\))*)$/.exec(permissions) ?? []
  if (entries === undefined) return null
  const others = new Set<string>()
  for (const [, entry = ''] of entries.matchAll(/\(([^()]*)\)/g)) {
    const [type = '', , , , , account = ''] = entry.split(';')
    if (account === '') return null
    // The types that allow access end with A, and those that deny access with D.
    if (type.endsWith('A') && account !== user && !EXPECTED.has(account)) others.add(NAMES[account] ?? account)
  }
  return [...others]
}

/** Returns the arguments of icacls that replace all permissions. New files in a directory inherit them. */
function grantsFor(isDirectory: boolean): string[] | null {
  const user = getUserId()
  if (user === null) return null
  const accounts = [user, ...ALWAYS].map((id) => `*${id}:${isDirectory ? '(OI)(CI)' : ''}F`)
  return ['/inheritance:r', '/grant:r', ...accounts]
}

let userId: string | null | undefined

/** Returns the security identifier of this user, or `null` if Windows does not tell. */
function getUserId(): string | null {
  if (userId === undefined) {
    const line = runSystemProgram('whoami', ['/user', '/fo', 'csv', '/nh']) ?? ''
    userId = /"(S-1-[\d-]+)"\s*$/.exec(line)?.[1] ?? null
  }
  return userId
}

/**
 * Returns what a program of Windows prints, or `null` if it fails. The full path keeps a program with the same name in
 * the current directory, or on the PATH, from being run instead.
 */
function runSystemProgram(name: string, args: readonly string[]): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', `${name}.exe`)
  const { status, stdout } = spawnSync(program, args, { timeout: LIMIT_MS, windowsHide: true, encoding: 'utf8' })
  return status === 0 ? stdout : null
}
