import type { ChildProcess } from 'node:child_process'
import { afterAll } from 'vitest'
import type { SandboxFacts } from '../../src/sandbox/facts.ts'
import { LIMIT_MS } from './limit.ts'
import { type Environment, type Running, tryWarmService } from './partner.ts'
import { startPartner } from './running.ts'
import { until } from './until.ts'

export interface Sandbox extends SandboxFacts {
  /** Environment variables that make the tool use this sandbox, without a profile. */
  readonly env: Environment
  stop(): Promise<unknown>
}

export interface SandboxProcess extends Sandbox {
  readonly process: ChildProcess
  /** The output so far. */
  readonly said: Running['said']
  /** Stops the sandbox and returns its exit code, or `null` if it had to be killed. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the sandbox in a new process. It keeps its data in memory unless `args` say otherwise. */
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
  return { ...readFacts(said.stdout), process, said, stop: (signal) => stopProcess(sandbox, signal) }
}

function readFacts(stdout: string): Omit<Sandbox, 'stop'> {
  const facts = JSON.parse(stdout.slice(0, stdout.indexOf('\n'))) as SandboxFacts
  return { ...facts, env: { PARTNER_BASE_URL: facts.baseUrl, PARTNER_API_KEY: facts.apiKey } }
}

/** Starts an in-memory sandbox for tests that do not depend on its process. Uses a warm process if possible. */
export async function startSandbox(): Promise<Sandbox> {
  const service = tryWarmService(['sandbox', 'start', '--json', '--data', ':memory:'], {})
  if (service === null) return startSandboxProcess()
  const early = await Promise.race([until(() => service.stdout().includes('\n')), service.ended])
  if (early) throw new Error(`the sandbox ended with ${early.code}: ${early.stderr}`)
  const stop = () => {
    service.signal('SIGTERM')
    return service.ended
  }
  return { ...readFacts(service.stdout()), stop }
}

/** Starts a sandbox that all tests in a file share. Must be called at the top level of the file. */
export async function startSharedSandbox(): Promise<Sandbox> {
  const sandbox = await startSandbox()
  afterAll(() => sandbox.stop())
  return sandbox
}

async function stopProcess({ process, ended }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const limit = setTimeout(() => process.kill('SIGKILL'), LIMIT_MS)
  process.kill(signal)
  const { code } = await ended
  clearTimeout(limit)
  return code
}
