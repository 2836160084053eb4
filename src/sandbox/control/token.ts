import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { readOwnText } from '../../base/storage/own-file.ts'

/** The directory for the control tokens of running sandboxes. Only this user can read it. */
function directory(): string {
  return join(tmpdir(), `partner-sandbox-${userInfo().username.replace(/[^\w-]/g, '_')}`)
}

/** True when the directory belongs to this user: others could have created it first, as its parent is shared. */
function isOurs(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0)
}

/** Stores the control token for other commands of this user if it can, and returns a function that removes it. */
export function leaveToken(port: number, token: string): () => void {
  const path = join(directory(), String(port))
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      mkdirSync(directory(), { recursive: true, mode: 0o700 })
      if (!isOurs(directory())) break
      rmSync(path, { force: true })
      writeFileSync(path, token, { mode: 0o600, flag: 'wx' })
      return () => removeToken(path)
    } catch {
      // Another sandbox may have removed the directory on close: the second attempt makes it again.
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

/** The control token of the sandbox at a port; null when this user runs none there. */
export function tokenAt(port: number): string | null {
  try {
    return isOurs(directory()) ? readOwnText(join(directory(), String(port))) : null
  } catch {
    return null
  }
}

/** The ports at which sandboxes of this user were started, in order. */
export function portsWithTokens(): number[] {
  try {
    if (!isOurs(directory())) return []
    const names = readdirSync(directory()).filter((name) => /^\d{1,5}$/.test(name))
    return names.map(Number).sort((a, b) => a - b)
  } catch {
    return []
  }
}
