import type { SandboxState } from '../../sandbox/state.ts'
import type { PartName } from './whole.ts'

const LOOK_EVERY_MS = 300

/** What may look otherwise once something in the store has changed. */
const OF_STORE: readonly PartName[] = ['diary', 'deliveries', 'cards', 'faults', 'clock', 'details']
/** What has to do with the time of the day, to the minute. */
const OF_TIME: readonly PartName[] = ['days', 'diary', 'cards', 'clock']

/** Tells the pages that are open what has changed, whoever has changed it: a few times a second, and only while one is open. */
export class Watch {
  readonly #state: SandboxState
  readonly #listeners = new Set<(names: readonly PartName[]) => void>()
  #timer: NodeJS.Timeout | undefined
  #marks: Marks = { store: '', journal: '', minute: 0 }

  constructor(state: SandboxState) {
    this.#state = state
  }

  /** Tells of changes from now on, until the function that comes back is called. */
  listen(tell: (names: readonly PartName[]) => void): () => void {
    if (this.#listeners.size === 0) {
      this.#marks = this.#read()
      this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    }
    this.#listeners.add(tell)
    return () => {
      this.#listeners.delete(tell)
      if (this.#listeners.size === 0) clearInterval(this.#timer)
    }
  }

  #look(): void {
    try {
      const { store, journal, minute } = this.#marks
      const now = this.#read()
      this.#marks = now
      const changed = new Set([
        ...(now.store === store ? [] : OF_STORE),
        ...(now.journal === journal ? [] : (['journal'] as const)),
        ...(now.minute === minute ? [] : OF_TIME),
      ])
      if (changed.size > 0) for (const tell of this.#listeners) tell([...changed])
    } catch (error) {
      this.#state.report(error)
    }
  }

  #read(): Marks {
    const { store, journal } = this.#state
    return {
      store: `${store.foreignVersion} ${store.ownVersion}`,
      journal: journal.mark,
      minute: Math.floor(this.#state.settings().clock.now() / 60_000),
    }
  }
}

interface Marks {
  readonly store: string
  readonly journal: string
  readonly minute: number
}
