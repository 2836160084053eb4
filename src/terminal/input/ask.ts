import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { toAsciiUpperCase } from '../../contract/shapes/scalars.ts'
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

  /** `place` returns a description of the profile and host that the command affects, or `null` for this machine. */
  constructor(host: Host, flags: CommonFlags, place: () => Promise<string | null>) {
    this.#host = host
    this.#flags = flags
    this.#place = place
  }

  /**
   * Whether the command still needs confirmation. True for AI agents too, although `confirm` always throws for them.
   */
  get needsConsent(): boolean {
    return !this.#flags.yes && !this.#flags['dry-run'] && this.#host.needsYes
  }

  get canAskMissing(): boolean {
    return this.needsConsent && this.#host.canAsk
  }

  /** Whether the user has already confirmed something in this run. */
  get hasAsked(): boolean {
    return this.#hasConfirmed
  }

  /**
   * Asks for confirmation before an irreversible action. Throws USAGE if no one can answer, or INTERRUPTED if the
   * answer is no.
   */
  async confirm(question: string): Promise<void> {
    await this.#confirm(question, await this.#place())
  }

  /** Works like `confirm`, but does not print what the action affects, because the question already does. */
  async confirmHere(question: string): Promise<void> {
    return this.#confirm(question, null)
  }

  /**
   * Works like `confirm`, but the user must type `name`. `what` is the word for it in the prompt, such as "card
   * number".
   */
  async confirmByTyping(question: string, what: string, name: string): Promise<void> {
    return this.#confirm(question, await this.#place(), { what, name })
  }

  async #confirm(question: string, place: string | null, typed: Typed | null = null): Promise<void> {
    if (this.#flags.yes || this.#flags['dry-run']) return
    this.#hasConfirmed = true
    if (!this.#host.canAsk) {
      const what = `"${question}"${place === null ? '' : ` (${place})`}`
      const agent = this.#host.needsYes ? agentVariable(this.#host.env) : null
      const why = agent === null ? 'partner cannot prompt here' : `agents are not asked (${agent} is set)`
      throw usageFailure([`${what} needs confirmation, but ${why}`], 'add --yes to confirm')
    }
    const { askYesNo } = await import('./prompts.ts')
    if (place !== null) await this.#host.stderr.writeEvenIfQuiet(`${terminalSafe(place)}\n`)
    const isDone = typed === null ? await askYesNo(this.#host, question) : await this.#isTyped(question, typed)
    if (isDone) return
    const how = typed === null ? 'answer y' : `type the ${typed.what}`
    throw new Failure('INTERRUPTED', 'nothing was done: you answered no', {
      hint: `run the command again, and ${how} to confirm`,
    })
  }

  async #isTyped(question: string, { what, name }: Typed): Promise<boolean> {
    const { askText } = await import('./prompts.ts')
    const isSame = (text: string) => toAsciiUpperCase(text) === toAsciiUpperCase(name.trim())
    const isNo = (text: string) => /^(?:no?)?$/i.test(text)
    const wrong = `that is not ${name}; answer n to cancel`
    const check = (text: string) => (isSame(text) || isNo(text) ? null : wrong)
    return isSame(await askText(this.#host, `${question} Type the ${what} to confirm:`, check, { startsOver: true }))
  }
}
