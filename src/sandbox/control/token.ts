import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Where running sandboxes leave their admin tokens: a directory that only this user can read. */
function directory(): string {
  return join(tmpdir(), `partner-sandbox-${userInfo().username.replace(/[^\w-]/g, '_')}`)
}

/** True when the directory is really this user's: in a shared place, somebody else could have created it first. */
function isOurs(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0)
}

/** Leaves the admin token of a sandbox where other commands of this user find it. Returns a function that removes it. */
export function leaveAdminToken(port: number, token: string): () => void {
  const path = join(directory(), String(port))
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      mkdirSync(directory(), { recursive: true, mode: 0o700 })
      if (!isOurs(directory())) break
      rmSync(path, { force: true })
      writeFileSync(path, token, { mode: 0o600, flag: 'wx' })
      return () => removeToken(path)
    } catch {
      // Another sandbox may have just ended and removed the directory: try once more. Without a token the sandbox still serves.
    }
  }
  return () => undefined
}

function removeToken(path: string): void {
  rmSync(path, { force: true })
  try {
    rmdirSync(directory())
  } catch {
    // Other sandboxes are running.
  }
}

/** The admin token of the sandbox on a port; null when this user runs none there. */
export function adminTokenOf(port: number): string | null {
  try {
    return isOurs(directory()) ? readFileSync(join(directory(), String(port)), 'utf8') : null
  } catch {
    return null
  }
}
