import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../base/json/parse.ts'

/** How long, in milliseconds, a person has to answer a question. This equals the lifetime of an order. */
const VALID_MS = 15 * 60_000

/**
 * Seals the state that the client must send back with a person's answer, so that no client can answer a question that
 * was not asked. The key exists only in this process. After a restart, the client must call the tool again.
 */
export class SealedStates {
  readonly #key = randomBytes(32)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Seals a state for one call. `call` contains the tool's name and its arguments. */
  seal(state: string, call: readonly unknown[]): string {
    const text = Buffer.from(JSON.stringify([state, this.#now() + VALID_MS])).toString('base64url')
    return `${text}.${this.#mac(text, call).toString('base64url')}`
  }

  /** Returns the state that was sealed for this call, or `null` if `sealed` was modified or has expired. */
  open(sealed: unknown, call: readonly unknown[]): string | null {
    if (typeof sealed !== 'string') return null
    const [text = '', mac = ''] = sealed.split('.')
    const expected = this.#mac(text, call)
    const given = Buffer.from(mac, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
    const [state, expiresAt] = parseJson(Buffer.from(text, 'base64url').toString()) as [string, number]
    return this.#now() < expiresAt ? state : null
  }

  #mac(text: string, call: readonly unknown[]): Buffer {
    const digest = createHash('sha256').update(JSON.stringify(call, sortMembers)).digest('hex')
    return createHmac('sha256', this.#key).update(`${digest}\n${text}`).digest()
  }
}

/** Makes JSON.stringify write the members of objects in alphabetical order, because a client might reorder them. */
function sortMembers(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
