import { hideSecrets } from '../../../base/redaction/redaction.ts'
import { SANDBOX_KEYS, SIGNING_SECRET } from '../../../sandbox/credentials.ts'
import type { JournalEntry } from '../../../sandbox/journal/journal.ts'

/** An observation made while testing an item. */
export interface EvidenceRow {
  /** The venue's time, in ISO 8601 UTC. */
  readonly at: string
  /**
   * The kind of observation. A `step` is something that the integration had to do, a `change` is something that
   * happened at the venue, and a `finding` is a problem.
   */
  readonly kind: 'step' | 'request' | 'delivery' | 'change' | 'finding'
  readonly text: string
  /** The HTTP method. Only observations of kind `request` have a `method`, a `path` and a `status`. */
  readonly method?: string
  /** The request path, including its query. */
  readonly path?: string
  /** The status of the response, or `null` if the connection ended without a response. */
  readonly status?: number | null
}

/** The maximum number of requests to list. An integration might never stop sending requests. */
const MAX_REQUESTS = 40

/** All observations for an item, in order. The sandbox's keys, tokens and secrets are redacted. */
export class Evidence {
  readonly #rows: EvidenceRow[] = []
  readonly #secrets: string[] = [...Object.values(SANDBOX_KEYS), SIGNING_SECRET]
  #requests = 0

  /** Redacts a secret in all later observations. */
  addSecret(secret: string): void {
    this.#secrets.push(secret)
  }

  redact(text: string): string {
    return hideSecrets(text, this.#secrets)
  }

  note(kind: Exclude<EvidenceRow['kind'], 'request'>, at: number, text: string): void {
    this.#rows.push({ at: new Date(at).toISOString(), kind, text: this.redact(text) })
  }

  noteRequest({ at, method, path, query, status, note }: JournalEntry): void {
    this.#requests += 1
    if (this.#requests > MAX_REQUESTS) return
    const target = this.redact(query === '' ? path : `${path}?${query}`)
    const answer = status === null ? 'no response' : String(status)
    const text = `${method} ${target}: ${answer}${note === null ? '' : ` (${this.redact(note)})`}`
    this.#rows.push({ at, kind: 'request', text, method, path: target, status })
  }

  /** All observations. Requests beyond the maximum are only counted. */
  get rows(): readonly EvidenceRow[] {
    const more = this.#requests - MAX_REQUESTS
    const last = this.#rows.at(-1)
    if (more <= 0 || last === undefined) return this.#rows
    return [...this.#rows, { at: last.at, kind: 'request', text: `${more} more requests are not listed` }]
  }

  /** Whether nothing has happened yet: the integration has sent no requests and received no deliveries. */
  get isSilent(): boolean {
    return !this.#rows.some(({ kind }) => kind === 'request' || kind === 'delivery')
  }

  get findings(): readonly string[] {
    return this.#rows.flatMap(({ kind, text }) => (kind === 'finding' ? [text] : []))
  }
}
