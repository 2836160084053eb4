import { fstatSync } from 'node:fs'
import { ONLY_IN_PATH } from '../../base/programs/only-in-path.ts'
import type { Variables } from '../../base/storage/directories.ts'

/**
 * Shows a page in the user's pager. Returns false if no pager is available, or if the page fits on the screen without
 * one.
 */
export function showInPager(page: string, env: Variables): boolean {
  const isWindows = process.platform === 'win32'
  const command = env['PARTNER_PAGER'] ?? env['PAGER'] ?? (isWindows ? '' : 'less')
  if (command === '' || command === 'cat' || env['TERM'] === 'dumb' || !isTerminal() || fits(page)) return false
  const { spawnSync } = require('node:child_process') as typeof import('node:child_process')
  // The pager handles Ctrl-C, so this process ignores it.
  process.on('SIGINT', () => {})
  const { status, error } = spawnSync(command, {
    // Run `less` without a shell, because a shell would complain if `less` is not installed. On Windows, Node would
    // also look for it in the current directory.
    shell: isWindows || command !== 'less',
    input: page,
    stdio: ['pipe', 'inherit', 'inherit'],
    // These are Git's defaults: quit if the page fits, keep colours, leave the page on the screen.
    env: { LESS: 'FRX', LV: '-c', ...env, ...(isWindows ? ONLY_IN_PATH : {}) },
  })
  // Only exit code 0 means that the pager ran, because cmd.exe exits with code 1 or 9009 if the command does not exist.
  if (isWindows) return status === 0
  const isMissing = status === 126 || status === 127 || (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  return !isMissing
}

/**
 * Returns whether stdout is a terminal. Checks the file type first, because `process.stdout` loads four Node modules,
 * which is slow.
 */
function isTerminal(): boolean {
  return fstatSync(1).isCharacterDevice() && process.stdout.isTTY
}

function fits(page: string): boolean {
  const { rows = 24, columns = 80 } = process.stdout
  const lines = page.trimEnd().split('\n')
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0) < rows
}
