import type { ChildProcess } from 'node:child_process'
import { afterAll } from 'vitest'
import type { SandboxFacts } from '../../src/sandbox/facts.ts'
import { LIMIT_MS } from './limit.ts'
import type { Environment, Running } from './partner.ts'
import { startPartner } from './running.ts'
import { until } from './until.ts'

export interface SandboxProcess extends SandboxFacts {
  /** The variables with which the tool talks to it, without a profile. */
  readonly env: Environment
  readonly process: ChildProcess
  /** What it has said so far. */
  readonly said: Running['said']
  /** Asks it to end, and gives its exit code; null when it had to be killed. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the sandbox as a process of its own: in memory, unless `args` say otherwise. */
export async function startSandboxProcess(
  args: readonly string[] = ['--data', ':memory:'],
  env: Environment = {},
): Promise<SandboxProcess> {
  const sandbox = startPartner(['sandbox', 'start', '--json', ...args], { env, isService: true })
  const { process, said, ended } = sandbox
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  await until(() => said.stdout.includes('\n') || hasEnded)
  if (hasEnded) throw new Error(`the sandbox ended with ${process.exitCode}: ${said.stderr}`)
  const facts = JSON.parse(said.stdout.slice(0, said.stdout.indexOf('\n'))) as SandboxFacts
  return {
    ...facts,
    env: { PARTNER_BASE_URL: facts.baseUrl, PARTNER_API_KEY: facts.apiKey },
    process,
    said,
    stop: (signal) => stopped(sandbox, signal),
  }
}

/** The one sandbox that the tests of a file share. To be called at its top. */
export async function sandboxOfThisFile(): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess()
  afterAll(() => sandbox.stop())
  return sandbox
}

async function stopped({ process, ended }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const limit = setTimeout(() => process.kill('SIGKILL'), LIMIT_MS)
  process.kill(signal)
  const { code } = await ended
  clearTimeout(limit)
  return code
}
