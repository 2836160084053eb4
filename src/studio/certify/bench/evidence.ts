import { hideSecrets } from '../../../base/redaction/redaction.ts'
import { SANDBOX_KEYS, SIGNING_SECRET } from '../../../sandbox/credentials.ts'
import type { JournalEntry } from '../../../sandbox/journal/journal.ts'

/** An observation during the certification of an item. */
export interface EvidenceRow {
  /** The venue's time, ISO 8601 UTC. */
  readonly at: string
  /** `step`: a task and its end; `change`: an act of the venue; `finding`: a problem. */
  readonly kind: 'step' | 'request' | 'delivery' | 'change' | 'finding'
  readonly text: string
  /** For requests, as are `path` and `status`. */
  readonly method?: string
  /** With its query. */
  readonly path?: string
  /** Null: the connection ended without an answer. */
  readonly status?: number | null
}

/** Limits the result for an integration that never stops making requests. */
const MOST_REQUESTS = 40

/** The observations for one item, in order, without keys, tokens and secrets of the sandbox. */
export class Evidence {
  readonly #rows: EvidenceRow[] = []
  readonly #secrets: string[] = [...Object.values(SANDBOX_KEYS), SIGNING_SECRET]
  #requests = 0

  /** Hides this text from now on. */
  keepSecret(secret: string): void {
    this.#secrets.push(secret)
  }

  hide(text: string): string {
    return hideSecrets(text, this.#secrets)
  }

  note(kind: Exclude<EvidenceRow['kind'], 'request'>, at: number, text: string): void {
    this.#rows.push({ at: new Date(at).toISOString(), kind, text: this.hide(text) })
  }

  noteRequest({ at, method, path, query, status, note }: JournalEntry): void {
    this.#requests += 1
    if (this.#requests > MOST_REQUESTS) return
    const target = this.hide(query === '' ? path : `${path}?${query}`)
    const answer = status === null ? 'no answer' : String(status)
    const text = `${method} ${target}: ${answer}${note === null ? '' : ` (${this.hide(note)})`}`
    this.#rows.push({ at, kind: 'request', text, method, path: target, status })
  }

  /** All observations. Requests above the limit are only counted. */
  get rows(): readonly EvidenceRow[] {
    const more = this.#requests - MOST_REQUESTS
    const last = this.#rows.at(-1)
    if (more <= 0 || last === undefined) return this.#rows
    return [...this.#rows, { at: last.at, kind: 'finding', text: `${more} more requests are not listed` }]
  }

  /** True if the integration made no request and received no delivery. */
  get isSilent(): boolean {
    return !this.#rows.some(({ kind }) => kind === 'request' || kind === 'delivery')
  }

  /** The problems in words; empty for none. */
  get findings(): readonly string[] {
    return this.#rows.flatMap(({ kind, text }) => (kind === 'finding' ? [text] : []))
  }
}
