import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import { agentVariable } from '../runtime/agent.ts'
import type { Host } from '../runtime/host.ts'
import type { CommonFlags } from './command-line.ts'

type Typed = { readonly what: string; readonly name: string }

export class Ask {
  readonly #host: Host
  readonly #flags: CommonFlags
  readonly #place: () => Promise<string | null>
  #hasConfirmed = false

  /** `place` describes where something would be done; null is this machine. */
  constructor(host: Host, flags: CommonFlags, place: () => Promise<string | null>) {
    this.#host = host
    this.#flags = flags
    this.#place = place
  }

  /** True if something would be done without consent. Also true with an agent, for which `confirm` fails. */
  get isWanted(): boolean {
    return !this.#flags.yes && !this.#flags['dry-run'] && this.#host.needsYes
  }

  get canAskMissing(): boolean {
    return this.isWanted && this.#host.canAsk
  }

  /** True if the user was asked in this run, or agreed in advance. */
  get isSettled(): boolean {
    return this.#hasConfirmed
  }

  /** Asks before something that cannot be undone. Fails: USAGE if nobody can answer; INTERRUPTED after a no. */
  async confirm(question: string): Promise<void> {
    await this.#confirm(question, await this.#place())
  }

  /** Like `confirm`, with a question that already names the place. */
  async confirmHere(question: string): Promise<void> {
    return this.#confirm(question, null)
  }

  /** Like `confirm`, but the user must type `name`, which is a `what`. */
  async confirmByTyping(question: string, what: string, name: string): Promise<void> {
    return this.#confirm(question, await this.#place(), { what, name })
  }

  async #confirm(question: string, place: string | null, typed: Typed | null = null): Promise<void> {
    if (this.#flags.yes || this.#flags['dry-run']) return
    this.#hasConfirmed = true
    if (!this.#host.canAsk) {
      const what = `"${question}"${place === null ? '' : ` (${place})`}`
      const agent = this.#host.needsYes ? agentVariable(this.#host.env) : null
      const why = agent === null ? 'there is nobody to ask' : `an agent is not asked (${agent} is set)`
      throw usageFailure([`${what} needs a yes, and ${why}`], 'add --yes')
    }
    const { askYesNo } = await import('./prompts.ts')
    if (place !== null) await this.#host.stderr.insist(`${terminalSafe(place)}\n`)
    const isDone = typed === null ? await askYesNo(this.#host, question) : await this.#isTyped(question, typed)
    if (isDone) return
    const how = typed === null ? 'answer y' : `type the ${typed.what}`
    throw new Failure('INTERRUPTED', 'not done: the answer was no', { hint: `run it again and ${how} to do it` })
  }

  async #isTyped(question: string, { what, name }: Typed): Promise<boolean> {
    const { askText } = await import('./prompts.ts')
    const isSame = (text: string) => text.toUpperCase() === name.trim().toUpperCase()
    const isNo = (text: string) => /^(?:no?)?$/i.test(text)
    const wrong = `this is not ${name}; n leaves everything as it is`
    const check = (text: string) => (isSame(text) || isNo(text) ? null : wrong)
    return isSame(await askText(this.#host, `${question} Type the ${what} to do it:`, check, { startsOver: true }))
  }
}
