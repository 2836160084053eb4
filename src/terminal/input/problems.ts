import { Failure, shortenQuotes, usageFailure } from '../../base/failure/failure.ts'
import type { Guide } from '../../base/failure/guides.ts'

/** Collects the problems in a command line, so that they can be reported together. */
export class Problems {
  readonly #lines: string[] = []
  #hint: string | undefined
  readonly #guides = new Set<Guide | undefined>()

  add(line: string, hint?: string, guide?: Guide): void {
    if (!this.#lines.includes(line)) this.#lines.push(line)
    this.#hint ??= hint
    this.#guides.add(guide)
  }

  get lines(): readonly string[] {
    return this.#lines.map(shortenQuotes)
  }

  /** Whether a problem with this flag has already been added, so that callers do not report a mistake twice. */
  hasProblemWith(flag: string): boolean {
    return this.#lines.some((line) => line.startsWith(flag) && /^(?:$|[\s:])/.test(line.slice(flag.length)))
  }

  /** Runs a check. If the check throws USAGE, adds its problem and returns `undefined`. */
  check<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      return this.#take(error)
    }
  }

  async checkAsync<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      return this.#take(error)
    }
  }

  #take(error: unknown): undefined {
    if (!(error instanceof Failure) || error.code !== 'USAGE') throw error
    for (const line of error.lines.length > 0 ? error.lines : [error.message]) this.add(line, error.hint, error.guide)
  }

  /** Reads a whole number in a range. Returns `undefined` if the flag is absent or invalid. */
  wholeNumber(flag: string, text: string | undefined, min: number, max: number): number | undefined {
    if (text === undefined) return undefined
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`
    this.add(`${flag} must be a whole number${range}, not ${JSON.stringify(text)}`)
    return undefined
  }

  /** Returns the checked value. Throws USAGE, listing all problems, if there are any. */
  valueOrThrow<T>(value: T | undefined, hint?: string): T {
    this.throwIfAny(hint)
    if (value === undefined) throw new Error('a check returned no value and added no problem')
    return value
  }

  /** Throws USAGE, listing all problems, if there are any. A single problem keeps its own hint. */
  throwIfAny(hint?: string): void {
    const own = this.#lines.length === 1 ? this.#hint : undefined
    const [guide, ...others] = this.#guides
    if (this.#lines.length > 0)
      throw usageFailure(this.#lines, own ?? hint ?? this.#hint, others.length === 0 ? guide : undefined)
  }
}
