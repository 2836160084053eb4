import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMIT_MS } from './limit.ts'
import type { Run } from './partner.ts'

/** One run of the tool, with all that it is to find around it. */
export interface WarmRun {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly input: string
  /** Whether nothing looks into its home directories afterwards. */
  readonly isLastAtHome: boolean
}

/** The exit code of a write whose outcome is unknown. */
const EXIT_UNKNOWN = 9

/** Ends what a run wrote to a stream. */
const MARK = '\n--end of the run--\n'

/**
 * Processes that are warm: started, with everything loaded once. A run in one costs a twentieth of a start. Each has one run at a
 * time; runs at the same time have a process each.
 */
export class WarmProcesses {
  readonly #node: string
  readonly #partner: string
  readonly #idle: WarmProcess[] = []
  readonly #all = new Set<WarmProcess>()

  constructor(node: string, partner: string) {
    this.#node = node
    this.#partner = partner
    process.once('exit', () => {
      for (const one of this.#all) void one.kill()
    })
  }

  /** Runs the tool to its end. Fails: when it does not end. */
  async run(run: WarmRun): Promise<Run> {
    const one = this.#idle.pop() ?? this.#started()
    const { isClean, ...done } = await one.run(run)
    // Commands that find an open operation ask whether its process is gone, as a user's is.
    if (isClean && (run.isLastAtHome || !one.mayHaveLeftOperation(run, done.code))) this.#idle.push(one)
    else {
      await one.kill()
      this.#all.delete(one)
    }
    return done
  }

  #started(): WarmProcess {
    const one = new WarmProcess(this.#node, this.#partner)
    this.#all.add(one)
    return one
  }
}

class WarmProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  readonly #said = { stdout: '', stderr: '' }
  #heard: () => void = () => {}

  constructor(node: string, partner: string) {
    this.#child = spawn(node, [join(import.meta.dirname, 'warm-process.cjs'), partner, MARK], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()))
    for (const name of ['stdout', 'stderr'] as const)
      this.#child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this.#said[name] += text
        this.#heard()
      })
    // An idle one keeps no test from ending.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  run(run: WarmRun): Promise<Run & { readonly isClean: boolean }> {
    this.#said.stdout = ''
    this.#said.stderr = ''
    return new Promise((resolve, reject) => {
      let answer: { readonly code: number; readonly isClean: boolean } | undefined
      const settle = () => {
        clearTimeout(limit)
        this.#child.off('message', onMessage).off('close', onClose).off('error', reject)
      }
      const limit = setTimeout(() => {
        void this.kill()
        settle()
        reject(new Error(`still running after ${LIMIT_MS} ms: ${run.args.join(' ')}\n${this.#said.stderr}`))
      }, LIMIT_MS)
      // The streams and the answer come by ways of their own.
      this.#heard = () => {
        const { stdout, stderr } = this.#said
        if (answer === undefined || !stdout.endsWith(MARK) || !stderr.endsWith(MARK)) return
        settle()
        const text = (said: string) => said.slice(0, -MARK.length)
        resolve({ code: answer.code, stdout: text(stdout), stderr: text(stderr), isClean: answer.isClean })
      }
      const onMessage = (message: unknown) => {
        answer = message as typeof answer
        this.#heard()
      }
      const onClose = (code: number | null) => {
        settle()
        resolve({ code, ...this.#said, isClean: false })
      }
      this.#child.on('message', onMessage).on('close', onClose).on('error', reject)
      this.#child.send(run, (error) => {
        if (error) reject(error)
      })
    })
  }

  /** Whether the record of money writes names this process, after a run whose outcome is unknown. */
  mayHaveLeftOperation({ env: { PARTNER_DATA_DIR: directory } }: WarmRun, code: number | null): boolean {
    if (code !== EXIT_UNKNOWN || directory === undefined) return code === EXIT_UNKNOWN
    const files = ['operations.db', 'operations.db-wal'].map((name) => join(directory, name)).filter(existsSync)
    return files.some((file) => readFileSync(file, 'latin1').includes(`"pid":${this.#child.pid},`))
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#gone
  }
}
