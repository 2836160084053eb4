import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { readOwnText } from '../../storage/own-file.ts'

/** Where running sandboxes leave their admin tokens: a directory that only this user can read. */
function directory(): string {
  return join(tmpdir(), `partner-sandbox-${userInfo().username.replace(/[^\w-]/g, '_')}`)
}

/** True when the directory is really this user's: in a shared place somebody else could have made it first. */
function isOurs(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0)
}

/** Leaves the admin token of a sandbox for other commands of this user. Returns the way to take it away again. */
export function leaveAdminToken(port: number, token: string): () => void {
  const path = join(directory(), String(port))
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      mkdirSync(directory(), { recursive: true, mode: 0o700 })
      if (!isOurs(directory())) break
      rmSync(path, { force: true })
      writeFileSync(path, token, { mode: 0o600, flag: 'wx' })
      return () => forgetToken(path)
    } catch {
      // Another sandbox that ended in this moment took the directory along: once more. Else the sandbox serves all the same.
    }
  }
  return () => undefined
}

function forgetToken(path: string): void {
  rmSync(path, { force: true })
  try {
    rmdirSync(directory())
  } catch {
    // Other sandboxes are running.
  }
}

/** The admin token of the sandbox at a port, or null when this user runs none there. */
export function adminTokenOf(port: number): string | null {
  try {
    return isOurs(directory()) ? readOwnText(join(directory(), String(port))) : null
  } catch {
    return null
  }
}
