import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { bin } from '../support/service.ts'

/** A command that is started again whenever it ends, as a service manager does. */
export class Supervised {
  readonly name: string
  readonly #args: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  readonly #log: string
  #child: ChildProcess | null = null
  #isWanted = false
  /** How often it ended on its own. */
  endings: string[] = []
  kills = 0
  starts = 0
  /** What it has said since its last start. */
  said = ''

  constructor(name: string, args: readonly string[], env: NodeJS.ProcessEnv, log: string) {
    this.name = name
    this.#args = args
    this.#env = env
    this.#log = log
  }

  start(): void {
    this.#isWanted = true
    this.said = ''
    this.starts++
    const child = spawn(process.execPath, [bin, ...this.#args], { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => this.#hear(chunk, false))
    child.stderr?.on('data', (chunk: Buffer) => this.#hear(chunk, true))
    child.once('exit', (code, signal) => {
      if (this.#child !== child || !this.#isWanted) return
      if (signal !== 'SIGKILL') this.endings.push(`${this.name} ended with ${code ?? signal}: ${lastLine(this.said)}`)
      // A service manager also waits before it starts a failing command again.
      setTimeout(() => this.#isWanted && this.#child === child && this.start(), signal === 'SIGKILL' ? 0 : 500)
    })
  }

  #hear(chunk: Buffer, isSaid: boolean): void {
    appendFileSync(this.#log, chunk)
    if (isSaid || this.said === '') this.said = (this.said + chunk).slice(-20_000)
  }

  /** Kills it. It is started again at once. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    this.kills++
    child.kill('SIGKILL')
    await ended
  }

  /** Stops it until it is started again. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#isWanted = false
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await Promise.race([ended, delay(30_000).then(() => child.kill('SIGKILL'))])
  }

  /** Returns its resident memory, in MiB, or `null` if it is not running. */
  get memoryMiB(): number | null {
    try {
      const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child?.pid}/status`, 'utf8'))?.[1]
      return kib === undefined ? null : Number(kib) / 1024
    } catch {
      return null
    }
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ')
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end. Throws if it ends with none of the expected codes. */
export async function partner(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  expected: readonly number[] = [0],
): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (!expected.includes(code ?? -1))
    throw new Error(`partner ${args.join(' ')} ended with ${code}:\n${stderr}${stdout.slice(0, 2000)}`)
  return { code, stdout, stderr }
}

const PATIENCE_MS = 120_000

/** Waits until a condition is true. Throws Error, with what it waited for, after two minutes. */
export async function waitFor(what: string, isMet: () => unknown, detail: () => unknown = () => ''): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what} ${JSON.stringify(detail())}`)
    await delay(50)
  }
}
