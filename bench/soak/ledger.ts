import { stepClock } from './clock.ts'
import { waitFor } from './process.ts'
import type { World } from './world.ts'

/** What was injected, and what was told of it. */
export interface Entry {
  readonly day: number
  readonly fault: string
  /** The check that must tell of it, or `null` if nobody may be told. */
  readonly check: string | null
  readonly injected: string
  readonly began: string
  readonly ended: string
  readonly problem: string
}

/** Longer than the `for` of checks that are slow to tell, and shorter than their limits. */
const FOR_MS = 2 * 60_000

/** The clock and the eyes of a soak. */
export class Watch {
  readonly world: World
  readonly quiet: () => Promise<() => void>

  constructor(world: World, quiet: () => Promise<() => void>) {
    this.world = world
    this.quiet = quiet
  }

  /** Returns the checks that are not well, except one. */
  #bad(except: string | null): string[] {
    return [...this.world.states()]
      .filter(([name, { state, pendingSinceMs }]) => name !== except && (state !== 'ok' || pendingSinceMs !== null))
      .map(([name, { message }]) => `${name}: ${message}`)
  }

  /** Waits until each check, except one, was evaluated again and is well. */
  async settle(except: string | null = null): Promise<void> {
    const since = Date.now()
    await waitFor(
      `everything is well except ${except}`,
      () => {
        const states = [...this.world.states()]
        // The monitor looks at its own trouble only once a minute.
        const isFresh = states.every(([name, { checkedMs }]) => name === 'monitor' || checkedMs > since)
        return states.length > 0 && isFresh && this.#bad(except).length === 0
      },
      () => this.#bad(except),
    )
  }

  /**
   * Moves the clock forward, while no event is being handled: no lease of an event may expire, because its handler
   * would then run twice. Nothing but the fault may be pending, because `for` would then end at once.
   */
  async step(ms: number, except: string | null = null): Promise<void> {
    const resume = await this.quiet()
    try {
      await this.settle(except)
      stepClock(ms)
    } finally {
      resume()
    }
    await this.settle(except)
  }

  /** Returns the alerts about a check since the nth alert. */
  told(since: number, check: string, change: string) {
    return this.world.receivers.alerts.slice(since).filter((one) => one.check === check && one.change === change)
  }

  /** Waits until the monitor tells of a check. If only the `for` of the check has to pass, moves the clock. */
  async untilTold(since: number, check: string, mayStep: boolean): Promise<void> {
    if (mayStep) {
      await waitFor(
        `${check} is seen to be wrong`,
        () => {
          const state = this.world.states().get(check)
          return state !== undefined && (state.state !== 'ok' || state.pendingSinceMs !== null)
        },
        () => this.world.states().get(check),
      )
      if (this.world.states().get(check)?.state === 'ok') await this.step(FOR_MS, check)
    }
    await waitFor(
      `${check} begins`,
      () => this.told(since, check, 'began').length > 0,
      () => this.world.states().get(check),
    )
  }

  async untilEnded(since: number, check: string): Promise<void> {
    await waitFor(
      `${check} ends`,
      () => this.told(since, check, 'ended').length > 0,
      () => this.world.states().get(check),
    )
  }
}
