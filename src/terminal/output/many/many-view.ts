import type { JsonObject } from '../../../base/json/exact.ts'
import type { Column, ListScope, ListView, ViewContext } from '../../render/view.ts'
import { PROFILE_MEMBER } from './tagged.ts'

/** The common view of records from several venues. It is the first venue's view with an additional profile column. */
export class ManyView {
  #first: ListView | null = null
  readonly #contexts = new Map<string, ViewContext>()
  readonly #whole = new Map<string, ListView>()

  /** Adds a venue. `context` contains the venue's time zone. */
  add(profile: string, view: ListView, context: ViewContext): void {
    this.#first ??= view
    this.#contexts.set(profile, context)
  }

  /** Marks a venue's list as complete. */
  keep(profile: string, view: ListView): void {
    this.#whole.set(profile, view)
  }

  /**
   * The first venue's view, preceded by a profile column. Text that depends on all records, such as the footnote, is
   * created only when it is printed.
   */
  get view(): ListView {
    const first = this.#first
    if (first === null) throw new Error('no venue has printed a list')
    const { total } = first
    return {
      ...first,
      columns: [
        { path: PROFILE_MEMBER, header: 'PROFILE', rank: 0 },
        // The command's own columns may already include the profile.
        ...first.columns.filter(({ path }) => path !== 'profile').map((one) => this.#ofVenue(one)),
      ],
      csvPaths: [PROFILE_MEMBER, ...first.csvPaths],
      ...(total ? { total: (records) => ({ ...total(records), [PROFILE_MEMBER]: 'all venues' }) } : {}),
      scope: this.#scope(first.scope),
      footnote: () => this.#footnote(),
    }
  }

  /** The time zone of all venues, or `null` if their zones differ. */
  get timezone(): string | null {
    return common(this.#contextsOfWhole.map(({ timezone }) => timezone)) ?? null
  }

  get #contextsOfWhole(): ViewContext[] {
    return [...this.#whole.keys()].flatMap((profile) => this.#contexts.get(profile) ?? [])
  }

  #ofVenue(column: Column): Column {
    const { cell } = column
    if (cell === undefined) return column
    const contextOf = (record: JsonObject) => this.#contexts.get(String(record[PROFILE_MEMBER]))
    return { ...column, cell: (record, context) => cell(record, contextOf(record) ?? context) }
  }

  #scope(first: ListScope | undefined): ListScope {
    const whole = this.#whole
    return {
      get words() {
        const views = [...whole.values()]
        return common(views.map(({ scope }) => scope?.words ?? '')) ?? common(views.map(withoutZone)) ?? ''
      },
      get hides() {
        return common([...whole.values()].map(({ scope }) => scope?.hides))
      },
      ...(first?.isFiltered ? { isFiltered: true } : {}),
    }
  }

  #footnote(): string | null {
    const notes = this.#contextsOfWhole.map((context) => this.#first?.footnote?.(context) ?? '')
    const parts = notes.map((note) => note.split(' · ').filter((part) => part !== ''))
    const shared = (parts[0] ?? []).filter((part) => parts.every((others) => others.includes(part)))
    const isSame = parts.every(({ length }) => length === shared.length)
    return (isSame ? shared : ["times in each venue's zone", ...shared]).join(' · ') || null
  }
}

/** Removes the time zone from text such as ` on Sun 2026-11-22 (Australia/Sydney)`. */
function withoutZone({ scope }: ListView): string {
  return (scope?.words ?? '').replace(/ \([A-Za-z_+-]+(?:\/[A-Za-z_+-]+)*\)/g, '')
}

function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}
