/** Where the page of a running sandbox is; the service itself has nothing there. */
export const PAGE_PATH = '/_sandbox/page'

/** What a person looks at, as the address of the page has it. Empty: as it is at first. */
export interface Choices {
  /** The location of the venue; the first one when empty. */
  readonly venue: string
  /** `2026-12-18`; today when empty. */
  readonly day: string
  /** The ID of the booking whose details are open. */
  readonly booking: string
  /** In the journal: a text to find, `1` for refused requests only, and the place before which to look. */
  readonly find: string
  readonly refused: string
  readonly older: string
  /** Of the deliveries: `1` for those that did not arrive only, and the number before which to look. */
  readonly missed: string
  readonly earlier: string
  /** Of the gift cards: a part of a number, and the number after which to look. */
  readonly card: string
  readonly after: string
}

const NOTHING_CHOSEN: Choices = {
  venue: '',
  day: '',
  booking: '',
  find: '',
  refused: '',
  older: '',
  missed: '',
  earlier: '',
  card: '',
  after: '',
}

const NAMES = Object.keys(NOTHING_CHOSEN) as (keyof Choices)[]
/** Longer ones are cut: nothing that is looked for is as long. */
const LONGEST = 200

/** What a person looks at, and the addresses of what they could look at next. */
export class View {
  readonly chosen: Choices
  readonly #token: string

  constructor(query: URLSearchParams) {
    this.#token = query.get('token') ?? ''
    this.chosen = Object.fromEntries(
      NAMES.map((name) => [name, (query.get(name) ?? '').slice(0, LONGEST)]),
    ) as unknown as Choices
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
