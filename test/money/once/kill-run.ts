import { once } from 'node:events'
import type { Run, Running } from '../../support/partner.ts'
import { startPartner } from '../../support/running.ts'
import type { TestHost } from '../hosts.ts'
import { type Blow, describeBlow, isOwnKill, KILLER, killerVariables, type Step } from './blows.ts'
import type { KillShop } from './kill-shop.ts'
import type { Treatment } from './ledger-line.ts'
import type { ServiceMessage, ServiceTreatment } from './service-line.ts'

/** A partner process into which at most one fault is injected. */
export class KillRun {
  readonly name: string
  readonly blow: Blow | null
  readonly #host: string
  readonly #running: Running
  /** Whether the run reached the step at which its fault is injected. */
  wasStruck = false

  constructor(shop: KillShop, name: string, args: readonly string[], how: { host: 0 | 1; blow: Blow | null }) {
    const { blow, host } = how
    this.name = name
    this.blow = blow
    this.#host = 'AB'[host] ?? ''
    const { env } = (shop.hosts[host] as TestHost).with(shop.variables(name))
    const hasKiller = blow !== null && isOwnKill(blow)
    this.#running = startPartner(args, {
      env: hasKiller ? { ...env, ...killerVariables(blow) } : env,
      preload: hasKiller ? KILLER : undefined,
    })
    this.#running.process.stdout?.once('data', () => void this.#strikes({ at: 'seen', number: 1, when: 'after' }))
  }

  /** Waits until the process has exited. */
  async end(): Promise<Run> {
    const run = await this.#running.ended
    if (run.code === null) this.wasStruck = true
    return run
  }

  async onLedger(number: number, when: Step['when']): Promise<Treatment> {
    return (await this.#strikes({ at: 'ledger', number, when })) ? 'cut' : 'pass'
  }

  /** Injects this run's fault at the matching step. If `mayBeDone` is false, drops every write. */
  async onService({ kind, number, when }: ServiceMessage, mayBeDone: boolean): Promise<ServiceTreatment> {
    const isStruck = await this.#strikes({ at: kind, number, when })
    if (kind === 'write' && when === 'before' && !mayBeDone) return 'never'
    return isStruck ? (this.blow?.arrival ?? 'never') : 'pass'
  }

  describe(): string {
    return `${this.name} on ${this.#host}${this.blow ? `, ${describeBlow(this.blow)}` : ''}`
  }

  async #strikes({ at, number, when }: Step): Promise<boolean> {
    const { blow } = this
    if (blow === null || this.wasStruck || blow.at !== at || blow.number !== number || blow.when !== when) return false
    this.wasStruck = true
    const { process } = this.#running
    if (blow.how === 'kill' && process.exitCode === null && process.signalCode === null) {
      process.kill('SIGKILL')
      await once(process, 'exit')
    }
    return true
  }
}
