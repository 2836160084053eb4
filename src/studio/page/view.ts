/** The path of the page; the service has nothing there. */
export const PAGE_PATH = '/_sandbox/page'

const NAMES = [
  // A location (empty: the first), a day (empty: today), and the ID of the open booking.
  ...(['venue', 'day', 'booking'] as const),
  // In the journal: a search text, `1` for refused requests only, and the place to look before.
  ...(['find', 'refused', 'older'] as const),
  // For deliveries: `1` for failed ones only, and the number to look before.
  ...(['missed', 'earlier'] as const),
  // For gift cards: a part of a number, and the number to look after.
  ...(['card', 'after'] as const),
]

/** The user's choices in the address of the page. Empty: the default. */
export type Choices = Readonly<Record<(typeof NAMES)[number], string>>

const LONGEST = 200

/** The current choices, and addresses for other ones. */
export class View {
  readonly chosen: Choices
  readonly #token: string

  constructor(query: URLSearchParams) {
    this.#token = query.get('token') ?? ''
    this.chosen = Object.fromEntries(NAMES.map((name) => [name, (query.get(name) ?? '').slice(0, LONGEST)])) as Choices
  }

  href(changed: Partial<Choices> = {}, fragment = ''): string {
    return `${PAGE_PATH}?${this.#query(changed)}${fragment === '' ? '' : `#${fragment}`}`
  }

  /** The address of a file or an action; `isOfView` adds the choices. */
  under(path: string, isOfView = false): string {
    return `${PAGE_PATH}/${path}?${isOfView ? this.#query({}) : new URLSearchParams({ token: this.#token })}`
  }

  /** The hidden fields of a form that changes the view. */
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
