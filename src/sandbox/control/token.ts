import { lstatSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { makePrivateDirectory } from '../../base/storage/directories.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { discard, removeFile } from '../../base/storage/rename-remove.ts'

/**
 * Returns the directory that contains the control tokens of running sandboxes. Only this user can read it. On Windows,
 * each user has a separate directory for temporary files.
 */
function tokenDirectory(): string {
  return join(tmpdir(), `partner-sandbox-${userInfo().username.replace(/[^\w-]/g, '_')}`)
}

/**
 * Whether the directory belongs to this user. Another user could have created it, because its parent directory is
 * shared.
 */
function isOwnDirectory(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0)
}

/** Tries to store the control token for this user's other commands. Returns a function that removes the token. */
export function storeToken(port: number, token: string): () => void {
  const path = join(tokenDirectory(), String(port))
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      makePrivateDirectory(tokenDirectory())
      if (!isOwnDirectory(tokenDirectory())) break
      removeFile(path)
      writeFileSync(path, token, { mode: 0o600, flag: 'wx' })
      return () => removeToken(path)
    } catch {
      // A sandbox that is closing might have removed the directory. The second attempt recreates it.
    }
  }
  return () => undefined
}

function removeToken(path: string): void {
  discard(path, 0)
  try {
    rmdirSync(tokenDirectory())
  } catch {
    // Removal fails if the directory still contains the tokens of other running sandboxes.
  }
}

/** Returns the control token of the sandbox on a port, or `null` if this user has no sandbox running there. */
export function readToken(port: number): string | null {
  try {
    return isOwnDirectory(tokenDirectory()) ? readOwnText(join(tokenDirectory(), String(port))) : null
  } catch {
    return null
  }
}

/** Lists the ports of this user's sandboxes in ascending order. Some of these sandboxes might have crashed. */
export function listTokenPorts(): number[] {
  try {
    if (!isOwnDirectory(tokenDirectory())) return []
    const names = readdirSync(tokenDirectory()).filter((name) => /^\d{1,5}$/.test(name))
    return names.map(Number).sort((a, b) => a - b)
  } catch {
    return []
  }
}
