import { execFileSync } from 'node:child_process'

/**
 * Runs the npm that started this script or, if the script was not started by npm, the npm on PATH. Shows only npm's
 * error output.
 */
export function npm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const own = process.env['npm_execpath']
  const [program, before] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []]
  execFileSync(program, [...before, ...args, '--silent'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 600_000,
    // On Windows, npm is a batch file, which needs a shell.
    shell: program === 'npm' && process.platform === 'win32',
  })
}
