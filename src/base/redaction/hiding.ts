import { BareText, mayBeBare } from './bare-text.ts'
import { getSecretFinder, HIDDEN } from './redaction.ts'
import type { SecretFinder } from './secret-finder.ts'

const EMPTY = Buffer.alloc(0)
const DOTS = Buffer.from(HIDDEN)
const QUOTED_DOTS = Buffer.from(`"${HIDDEN}"`)

/** Returns a stream filter that hides secrets in a body, or `null` if it has no secrets to hide. */
export function openHiding(secrets: readonly string[]): Hiding | null {
  const finder = getSecretFinder(secrets)
  return finder.isEmpty ? null : new Hiding(finder, secrets.some(mayBeBare))
}

/**
 * Hides secrets in a body that arrives in chunks. Holds back bytes that might be the start of a secret. Replaces a JSON
 * number that contains a secret with a string.
 */
class Hiding {
  hasHidden = false
  readonly #finder: SecretFinder
  readonly #bare: BareText | null
  #held: Buffer = EMPTY

  constructor(finder: SecretFinder, hasBare: boolean) {
    this.#finder = finder
    this.#bare = hasBare ? new BareText() : null
  }

  push(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    return this.#clean(this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]), false)
  }

  end(): Uint8Array {
    return this.#clean(this.#held, true)
  }

  #clean(bytes: Buffer, isLast: boolean): Buffer {
    const spans = this.#finder.find(bytes)
    let held = isLast ? bytes.length : this.#finder.openStart(bytes, spans.at(-1)?.end ?? 0)
    if (!isLast && this.#bare) held = this.#bare.startOfLast(bytes, held)
    if (spans.length === 0 && held === bytes.length && this.#bare === null) {
      this.#held = EMPTY
      return bytes
    }
    const parts: Buffer[] = []
    let from = 0
    for (const span of spans) {
      if (span.start >= held) break
      const { start, end, isBare } = this.#bare?.around(bytes, from, span) ?? { ...span, isBare: false }
      // Skip a match that includes JSON syntax. Its span is empty.
      if (start < from || end === start) continue
      parts.push(bytes.subarray(from, start), isBare ? QUOTED_DOTS : DOTS)
      this.#bare?.advance(bytes, from, end)
      from = end
    }
    held = Math.max(held, from)
    this.#held = Buffer.from(bytes.subarray(held))
    this.#bare?.advance(bytes, from, held)
    if (parts.length === 0) return held === bytes.length ? bytes : bytes.subarray(0, held)
    this.hasHidden = true
    return Buffer.concat([...parts, bytes.subarray(from, held)])
  }
}
