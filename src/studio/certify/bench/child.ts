import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { signalTree } from '../../../base/programs/end-tree.ts'

/** What the integration must do in a step. It receives this as a line of JSON on standard input. */
export type StepLine =
  | { readonly do: 'poll' }
  | { readonly do: 'redeem'; readonly cardNumber: string; readonly amount: number }
  | { readonly do: 'sale'; readonly sale: unknown }
  | { readonly do: 'inbound'; readonly path: string; readonly query: string; readonly body: string }
  | { readonly do: 'serve'; readonly port: number; readonly securityKey: string; readonly securityToken: string }

export function describeStep(line: StepLine): string {
  if (line.do === 'redeem') return `redeem ${line.amount} of ${line.cardNumber}`
  return line.do === 'inbound' ? `inbound ${line.path}?${line.query}` : line.do
}

export interface StepEnd {
  /** The exit code, or `null` if a signal killed the process. */
  readonly code: number | null
  /** A one-line description of how the process ended, followed by its last output if it failed. */
  readonly text: string
}

const KEPT_OUTPUT = 4000
const LAST_LINES = 3
/** How long, in milliseconds, to wait for more output after the process has exited. */
const LAST_OUTPUT_MS = 200

/** A process that runs one step of the integration. It may have child processes. */
export class Child {
  readonly ended: Promise<StepEnd>
  readonly #process: ChildProcess
  #said = ''
  #isTooSlow = false
  hasEnded = false

  /** Runs a shell command. Kills it after `stepMs` milliseconds, unless the step is `serve`. */
  constructor(run: string, env: NodeJS.ProcessEnv, stepMs: number, line: StepLine) {
    // Start a process group, so that `kill` also reaches the child processes. Windows needs no group, but shows a
    // console unless it is hidden.
    const apart = process.platform === 'win32' ? { windowsHide: true } : { detached: true }
    const child = spawn(run, { shell: true, env, ...apart, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#process = child
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-KEPT_OUTPUT)
      })
    // Ignore EPIPE: the process may exit without reading its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify(line)}\n`)
    const stop = () => {
      this.#isTooSlow = true
      this.kill('SIGKILL')
    }
    const timer = line.do === 'serve' ? undefined : setTimeout(stop, stepMs)
    this.ended = this.#end().finally(() => clearTimeout(timer))
  }

  /** Sends a signal to the process and to its child processes. On Windows, any signal kills them. */
  kill(signal: NodeJS.Signals): void {
    signalTree(this.#process, signal)
  }

  async #end(): Promise<StepEnd> {
    const child = this.#process
    const closed = new Promise((resolve) => child.once('close', resolve))
    const [code] = await once(child, 'exit').catch((error: Error) => {
      this.#said += error.message
      return [null]
    })
    this.hasEnded = true
    await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })])
    // Kill any remaining child processes. They would interfere with the next step.
    this.kill('SIGKILL')
    child.stdout?.destroy()
    child.stderr?.destroy()
    return { code, text: this.#endText(code) }
  }

  #endText(code: number | null): string {
    const ended = code === null ? 'was killed by a signal' : `exited with code ${code}`
    const how = this.#isTooSlow ? 'took too long' : ended
    const lines = this.#said.trim().split(/\s*\n\s*/)
    const said = lines.slice(-LAST_LINES).join(' | ')
    return code === 0 || said === '' ? how : `${how}: ${said}`
  }
}
