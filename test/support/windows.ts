import { statSync } from 'node:fs'
import { expect } from 'vitest'
import type { Need } from './needs.ts'
import { NODE, ROOT, type Run, type Running, runProgram, startProgram } from './partner.ts'
import { until } from './until.ts'

/** The port of the bridge to Windows, with which `npm run test:windows` runs the tool in Node for Windows. */
const BRIDGE = process.env['PARTNER_TEST_BRIDGE']

/** Requires that the tool runs in Node for Windows. */
export const WINDOWS: Need = { isMet: BRIDGE !== undefined, lack: 'npm run test:windows runs these tests' }

export const IS_WINDOWS = WINDOWS.isMet

/** Requires that the tool runs on this system. `lack` says what Windows, or Wine, lacks. */
export const unixOnly = (lack: string): Need => ({ isMet: BRIDGE === undefined, lack })

export const WITHOUT_MODES = unixOnly('files have no modes on Windows')
export const WITHOUT_LINKS = unixOnly('programs in Wine do not see symbolic links of Linux')

/** Returns the path by which the tool knows a file of Linux. */
export const toolPath = (path: string) => (IS_WINDOWS ? `Z:${path.replaceAll('/', '\\')}` : path)

/** Expects a file or directory that only its owner can access. On Windows, its directory's permissions say that. */
export function expectPrivate(path: string): void {
  const stats = statSync(path)
  if (!IS_WINDOWS) expect((stats.mode & 0o777).toString(8)).toBe(stats.isDirectory() ? '700' : '600')
}

/** Runs JavaScript in Node for Windows. The script may import the files of `src/`, for example from `./src/base`. */
export function runInWindows(script: string, env = {}): Promise<Run> {
  return runProgram(NODE, argumentsFor(script), { cwd: ROOT, env })
}

/** Starts JavaScript in Node for Windows, and waits for its first line. */
export async function startInWindows(script: string): Promise<{ readonly line: string; readonly running: Running }> {
  const running = startProgram(NODE, argumentsFor(script), { cwd: ROOT, isService: true })
  await until(() => running.said.stdout.includes('\n') || running.process.exitCode !== null)
  const [line = ''] = running.said.stdout.split('\n')
  if (line === '') throw new Error(`the script printed nothing: ${running.said.stderr}`)
  return { line, running }
}

function argumentsFor(script: string): readonly string[] {
  return ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
}
