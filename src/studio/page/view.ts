/** The page's path. The service has no endpoint below it. */
export const PAGE_PATH = '/_sandbox/page'

const NAMES = [
  // The venue's ID (first venue if empty), the day (today if empty), and the ID of the open booking.
  ...(['venue', 'day', 'booking'] as const),
  // Journal: the search text, `1` to show only failed requests, and the position before which to look.
  ...(['find', 'refused', 'older'] as const),
  // Deliveries: `1` to show only undelivered webhooks, and the ID before which to look.
  ...(['missed', 'earlier'] as const),
  // Gift cards: part of a card number to search for, and the card number after which to look.
  ...(['card', 'after'] as const),
]

/** The user's choices, which are stored in the page's URL. An empty string selects the default. */
export type Choices = Readonly<Record<(typeof NAMES)[number], string>>

const MAX_VALUE_LENGTH = 200

/** The current choices, and the URLs of other choices. */
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

  /** Returns the URL of a file or an action. If `isOfView`, adds the current choices. */
  urlOf(path: string, isOfView = false): string {
    return `${PAGE_PATH}/${path}?${isOfView ? this.#query({}) : new URLSearchParams({ token: this.#token })}`
  }

  /** Returns the hidden fields for a form that changes the view: the token and all choices except `without`. */
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
