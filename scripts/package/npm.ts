import { execFileSync } from 'node:child_process'

/** Runs the npm that started this script, else the one on PATH. Shows its output only if it fails. */
export function npm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const own = process.env['npm_execpath']
  const [program, before] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []]
  execFileSync(program, [...before, ...args, '--silent'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 600_000,
    // On Windows, npm is a shell script.
    shell: program === 'npm' && process.platform === 'win32',
  })
}
