import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { LIMIT_MS } from './limit.ts'
import type { Run } from './partner.ts'

/** The arguments, environment, working directory and standard input for one run of the tool. */
export interface WarmRun {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly input: string | Buffer
}

/** A run that continues until a signal stops it, as a server does. */
export interface WarmService {
  /** Returns everything that has been written to stdout so far. */
  readonly stdout: () => string
  /** Sends a signal to the run, unless the run has ended. */
  readonly signal: (signal: NodeJS.Signals) => void
  readonly ended: Promise<Run>
}

/** Marks the end of a run's output on a stream. */
const END_MARK = '\n--end of the run--\n'

const allProcesses = new Set<WarmProcess>()
process.once('exit', () => {
  for (const one of allProcesses) void one.kill()
})

/**
 * A pool of running processes in which everything is already loaded. A run in such a warm process is five times as fast
 * as a cold start. Each process handles one run at a time, so concurrent runs use separate processes.
 */
export class WarmProcesses {
  readonly #node: string
  readonly #partner: string
  readonly #isMerged: boolean
  readonly #idle: WarmProcess[] = []

  /** With `isMerged`, stderr is redirected to stdout. */
  constructor(node: string, partner: string, isMerged = false) {
    this.#node = node
    this.#partner = partner
    this.#isMerged = isMerged
  }

  /** Runs the tool until it exits. Throws Error if it does not exit in time. */
  run(run: WarmRun): Promise<Run> {
    return this.#runIn(this.#idle.pop() ?? this.#started(), run, LIMIT_MS)
  }

  start(run: WarmRun): WarmService {
    const one = this.#idle.pop() ?? this.#started()
    let hasEnded = false
    const ended = this.#runIn(one, run, null).finally(() => {
      hasEnded = true
    })
    return { stdout: () => one.said.stdout, signal: (signal) => void (hasEnded || one.signal(signal)), ended }
  }

  async #runIn(one: WarmProcess, run: WarmRun, limitMs: number | null): Promise<Run> {
    const { isClean, ...done } = await one.run(run, limitMs)
    if (isClean) this.#idle.push(one)
    else {
      await one.kill()
      allProcesses.delete(one)
    }
    return done
  }

  #started(): WarmProcess {
    const one = new WarmProcess(this.#node, this.#partner, this.#isMerged)
    allProcesses.add(one)
    return one
  }
}

class WarmProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  readonly said = { stdout: '', stderr: '' }
  #heard: () => void = () => {}

  /** The marks that end a run's output on stdout and stderr. */
  readonly #ends: Readonly<Record<'stdout' | 'stderr', string>>

  constructor(node: string, partner: string, isMerged: boolean) {
    this.#ends = isMerged ? { stdout: END_MARK + END_MARK, stderr: '' } : { stdout: END_MARK, stderr: END_MARK }
    const args = [join(import.meta.dirname, 'warm-process.cjs'), partner, END_MARK]
    const merging = ['-c', 'exec "$0" "$@" 2>&1', node, ...args]
    const [program, words] = isMerged ? ['sh', merging] : [node, args]
    this.#child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()))
    for (const name of ['stdout', 'stderr'] as const)
      this.#child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this.said[name] += text
        this.#heard()
      })
    // An idle warm process must not keep the test process alive.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  run(run: WarmRun, limitMs: number | null): Promise<Run & { readonly isClean: boolean }> {
    this.said.stdout = ''
    this.said.stderr = ''
    return new Promise((resolve, reject) => {
      let answer: { readonly code: number; readonly isClean: boolean } | undefined
      const settle = () => {
        clearTimeout(limit)
        this.#child.off('message', onMessage).off('close', onClose).off('error', reject)
      }
      const giveUp = () => {
        void this.kill()
        settle()
        reject(new Error(`still running after ${limitMs} ms: ${run.args.join(' ')}\n${this.said.stderr}`))
      }
      const limit = limitMs === null ? undefined : setTimeout(giveUp, limitMs)
      // The streams and the message with the exit code arrive separately and in any order.
      this.#heard = () => {
        const { stdout, stderr } = this.said
        const ends = this.#ends
        if (answer === undefined || !stdout.endsWith(ends.stdout) || !stderr.endsWith(ends.stderr)) return
        settle()
        const said = {
          stdout: stdout.slice(0, stdout.length - ends.stdout.length),
          stderr: stderr.slice(0, stderr.length - ends.stderr.length),
        }
        resolve({ code: answer.code, ...said, isClean: answer.isClean })
      }
      const onMessage = (message: unknown) => {
        answer = message as typeof answer
        this.#heard()
      }
      const onClose = (code: number | null) => {
        settle()
        resolve({ code, ...this.said, isClean: false })
      }
      this.#child.on('message', onMessage).on('close', onClose).on('error', reject)
      this.#child.send(run, (error) => {
        if (error) reject(error)
      })
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.#gone
  }
}
