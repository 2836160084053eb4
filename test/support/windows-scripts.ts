import { NODE, ROOT, type Run, type Running, runProgram, startProgram } from './partner.ts'
import { until } from './until.ts'

/** Runs JavaScript in Node for Windows. The script can import files from `src/`, for example from `./src/base`. */
export function runInWindows(script: string, env = {}): Promise<Run> {
  return runProgram(NODE, argumentsFor(script), { cwd: ROOT, env })
}

/** Starts JavaScript in Node for Windows and waits for the first line of its output. */
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
