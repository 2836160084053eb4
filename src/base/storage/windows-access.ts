import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt } from '../attempt.ts'
import { discard } from './rename-remove.ts'

/** The time limit for running a Windows program, in milliseconds. Such programs usually take 50 ms. */
const LIMIT_MS = 10_000

/** The SYSTEM account and the administrators. Like root on Linux, they can access every file. */
const ALWAYS = ['S-1-5-18', 'S-1-5-32-544'] as const

/**
 * Accounts that may have access: those in `ALWAYS` and their SDDL abbreviations, the file's owner, and the built-in
 * administrator. Source: https://learn.microsoft.com/windows/win32/secauthz/sid-strings
 */
const EXPECTED: ReadonlySet<string> = new Set([...ALWAYS, 'SY', 'BA', 'CO', 'OW', 'LA'])

/** English names for groups that often have permissions. Windows itself reports translated names. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ WD: 'Everyone', AU: 'Authenticated Users', BU: 'Users', BG: 'Guests', PU: 'Power Users', IU: 'Interactive' },
  ...{ NU: 'Network', AN: 'Anonymous', DU: 'Domain Users', DA: 'Domain Admins', AC: 'All Application Packages' },
}

/**
 * Lets only this user, the SYSTEM account and administrators access a directory and everything in it. Returns a warning
 * if access cannot be restricted, otherwise `null`. Does nothing if this user cannot be determined; see {@link
 * findOthersWithAccess}. Runs two programs, so callers use it only for new directories.
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
 * Parses the output of `icacls FILE /save`, which contains the file's name and its permissions in SDDL. `user` is the
 * security identifier of this user. Returns the other accounts that have any access, or `null` if the text is in a
 * different format. Source: https://learn.microsoft.com/windows/win32/secauthz/ace-strings
 */
export function parseOthers(saved: string, user: string): readonly string[] | null {
  const [, , permissions] = /(^|\n)D:([^\r\n]*)\r?\n*$/.exec(saved) ?? []
  if (permissions === undefined) return null
  // If a file has no access control list, everyone has full access.
  if (permissions === 'NO_ACCESS_CONTROL') return ['Everyone']
  const [, entries] = /^[A-Z]*((?:\([^()]*\))*)$/.exec(permissions) ?? []
  if (entries === undefined) return null
  const others = new Set<string>()
  for (const [, entry = ''] of entries.matchAll(/\(([^()]*)\)/g)) {
    const [type = '', , , , , account = ''] = entry.split(';')
    if (account === '') return null
    // Entry types that allow access end with A, and those that deny access end with D.
    if (type.endsWith('A') && account !== user && !EXPECTED.has(account)) others.add(NAMES[account] ?? account)
  }
  return [...others]
}

/** Returns the icacls arguments that replace all permissions. New files in a directory inherit the permissions. */
function grantsFor(isDirectory: boolean): string[] | null {
  const user = getUserId()
  if (user === null) return null
  const accounts = [user, ...ALWAYS].map((id) => `*${id}:${isDirectory ? '(OI)(CI)' : ''}F`)
  return ['/inheritance:r', '/grant:r', ...accounts]
}

let userId: string | null | undefined

/** Returns the security identifier of this user, or `null` if it cannot be determined. */
function getUserId(): string | null {
  if (userId === undefined) {
    const line = runSystemProgram('whoami', ['/user', '/fo', 'csv', '/nh']) ?? ''
    userId = /"(S-1-[\d-]+)"\s*$/.exec(line)?.[1] ?? null
  }
  return userId
}

/**
 * Returns the output of a Windows program, or `null` if it fails. Uses the full path, so that no program with the same
 * name in the current directory or on the PATH is run instead.
 */
function runSystemProgram(name: string, args: readonly string[]): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', `${name}.exe`)
  const { status, stdout } = spawnSync(program, args, { timeout: LIMIT_MS, windowsHide: true, encoding: 'utf8' })
  return status === 0 ? stdout : null
}
