import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Runs the command line with the newer Node in a checkout, or says what is needed. */
export function relaunch(argv: readonly string[]): void {
  // Not a success until the child has ended.
  process.exitCode = 1
  const candidates = [join(ROOT, 'node_modules', '.bin', 'node'), join(ROOT, '..', '.bin', 'node')]
  const node = process.env['PARTNER_RELAUNCHED'] ? undefined : candidates.find((candidate) => existsSync(candidate))
  if (node === undefined) {
    process.stderr.write(
      `error: partner needs Node 22.19 or later, and this is ${process.version}\n` +
        'next: install a newer Node (https://nodejs.org), or run it in a checkout after npm ci, which brings one\n',
    )
    return
  }
  const child = spawn(node, [join(ROOT, 'bin', 'run.js'), ...argv], {
    // The channel closes when this process ends, even by SIGKILL: see `endWithLauncher`.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PARTNER_RELAUNCHED: '1' },
  })
  // A terminal signals both processes, so the child gets it twice; no exit code depends on that.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.on('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(
      `error: ${node} cannot be run (${error.code})\nnext: npm ci, or install Node 22.19 or later (https://nodejs.org)\n`,
    )
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
}
