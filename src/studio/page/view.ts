/** The path of the sandbox's page. The service has no endpoints below this path. */
export const PAGE_PATH = '/_sandbox/page'

const NAMES = [
  // For the whole page: the venue's ID (empty for the first venue), the day (empty for today), and the ID of the
  // booking whose details are shown.
  ...(['venue', 'day', 'booking'] as const),
  // For the journal: the text to search for, `1` to show only failed requests, and a position that limits the list to
  // older entries.
  ...(['find', 'refused', 'older'] as const),
  // For deliveries: `1` to show only webhooks that were not delivered, and an ID that limits the list to earlier
  // webhooks.
  ...(['missed', 'earlier'] as const),
  // For gift cards: part of the card number to search for, and the card number after which the list starts.
  ...(['card', 'after'] as const),
]

/** The user's choices, which are part of the page's URL. An empty string means the default. */
export type Choices = Readonly<Record<(typeof NAMES)[number], string>>

const MAX_VALUE_LENGTH = 200

/** The view that the user has chosen and the URLs of other views. */
export class View {
  readonly chosen: Choices
  readonly #token: string

  constructor(query: URLSearchParams) {
    this.#token = query.get('token') ?? ''
    this.chosen = Object.fromEntries(
      NAMES.map((name) => [name, (query.get(name) ?? '').slice(0, MAX_VALUE_LENGTH)]),
    ) as Choices
  }

  href(changed: Partial<Choices> = {}, fragment = ''): string {
    return `${PAGE_PATH}?${this.#query(changed)}${fragment === '' ? '' : `#${fragment}`}`
  }

  /** Returns the URL of a file or an action. If `isOfView` is true, the URL includes the user's choices. */
  urlOf(path: string, isOfView = false): string {
    return `${PAGE_PATH}/${path}?${isOfView ? this.#query({}) : new URLSearchParams({ token: this.#token })}`
  }

  /**
   * Returns the hidden fields for a form that shows another view: the token, and all choices except those in `without`.
   */
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
