import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import { cleanEnvironment, type Environment, NODE, PARTNER } from './partner.ts'

/** The first line of `sandbox start --json`. */
export interface SandboxFacts {
  readonly baseUrl: string
  readonly apiKey: string
  readonly keys: { readonly unknownApp: string; readonly unlinkedVenue: string }
  readonly partnerName: string
  readonly signatureHeader: string
  readonly signingSecret: string
  readonly locationId: string
}

export interface SandboxProcess extends SandboxFacts {
  /** The variables with which the tool talks to it, without a profile. */
  readonly env: Environment
  readonly process: ChildProcess
  /** Asks it to end, and gives its exit code; it is killed when it does not within 20 seconds. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const START_LIMIT_MS = 60_000

/** Starts the sandbox as a process of its own: in memory, unless `args` say otherwise. */
export async function startSandboxProcess(
  args: readonly string[] = ['--data', ':memory:'],
  env: Environment = {},
): Promise<SandboxProcess> {
  const child = spawn(NODE, [PARTNER, 'sandbox', 'start', '--json', ...args], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  child.once('exit', () => process.off('exit', killed))
  const facts = await firstLine(child)
  return {
    ...facts,
    env: { PARTNER_BASE_URL: facts.baseUrl, PARTNER_API_KEY: facts.apiKey },
    process: child,
    stop: (signal) => stopped(child, signal),
  }
}

/** The one sandbox that the tests of a file share. To be called at its top. */
export async function sandboxOfThisFile(): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess()
  afterAll(() => sandbox.stop())
  return sandbox
}

function firstLine(child: ChildProcess): Promise<SandboxFacts> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const limit = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the sandbox said nothing within ${START_LIMIT_MS} ms: ${said}`))
    }, START_LIMIT_MS)
    child.once('exit', (code) => {
      clearTimeout(limit)
      reject(new Error(`the sandbox ended with ${code}: ${said}`))
    })
    if (!child.stdout) return reject(new Error('the sandbox has no standard output'))
    createInterface(child.stdout).once('line', (line) => {
      clearTimeout(limit)
      resolve(JSON.parse(line) as SandboxFacts)
    })
  })
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  clearTimeout(limit)
  return child.exitCode
}
