/** Where the page of a running sandbox is; the service itself has nothing there. */
export const PAGE_PATH = '/_sandbox/page'

const NAMES = [
  // The location of the venue, its first one when empty; the day, today when empty; the ID of the booking whose details are open.
  ...(['venue', 'day', 'booking'] as const),
  // In the journal: a text to find, `1` for refused requests only, and the place before which to look.
  ...(['find', 'refused', 'older'] as const),
  // Of the deliveries: `1` for those that did not arrive only, and the number before which to look.
  ...(['missed', 'earlier'] as const),
  // Of the gift cards: a part of a number, and the number after which to look.
  ...(['card', 'after'] as const),
]

/** What a person looks at, as the address of the page has it. Empty: as it is at first. */
export type Choices = Readonly<Record<(typeof NAMES)[number], string>>

/** Longer ones are cut: nothing that is looked for is as long. */
const LONGEST = 200

/** What a person looks at, and the addresses of what they could look at next. */
export class View {
  readonly chosen: Choices
  readonly #token: string

  constructor(query: URLSearchParams) {
    this.#token = query.get('token') ?? ''
    this.chosen = Object.fromEntries(NAMES.map((name) => [name, (query.get(name) ?? '').slice(0, LONGEST)])) as Choices
  }

  /** The address of the page with other choices. */
  href(changed: Partial<Choices> = {}, fragment = ''): string {
    return `${PAGE_PATH}?${this.#query(changed)}${fragment === '' ? '' : `#${fragment}`}`
  }

  /** The address of a file of the page, or of what one of its forms does; with the same choices where `isOfView`. */
  under(path: string, isOfView = false): string {
    return `${PAGE_PATH}/${path}?${isOfView ? this.#query({}) : new URLSearchParams({ token: this.#token })}`
  }

  /** What a form that asks for something has to say beside its fields. */
  hidden(without: readonly (keyof Choices)[]): readonly (readonly [name: string, value: string])[] {
    const kept = NAMES.filter((name) => !without.includes(name) && this.chosen[name] !== '')
    return [['token', this.#token], ...kept.map((name) => [name, this.chosen[name]] as const)]
  }

  #query(changed: Partial<Choices>): URLSearchParams {
    const choices = { ...this.chosen, ...changed }
    const query = new URLSearchParams({ token: this.#token })
    for (const name of NAMES) if (choices[name] !== '') query.set(name, choices[name])
    return query
  }
}
