import { isJsonObject, type JsonValue } from '../../../../base/json/exact.ts'
import { hideSecrets } from '../../../../base/redaction/redaction.ts'
import { comparableName } from '../comparable.ts'
import { findAllCards, findEmails, findPhones, replaceSpans } from '../traces.ts'
import type { Cleaner } from './cleaner.ts'

/** Matches a word, which may contain apostrophes and hyphens. */
const WORD = /[\p{L}\p{M}\p{N}'\u2019-]+/gu

/** Matches the invalid JSON that a Node error message quotes. */
const QUOTED_BODY = /(?:\.\.\.)?"[\s\S]*"(?:\.\.\.)? is not valid JSON/g

/**
 * Cleans text that partner itself wrote. Replaces guests' data, secrets and the home directory, whose path contains the
 * user's name. `home` is '' if the home directory is unknown.
 */
export class OwnText {
  readonly #cleaner: Cleaner
  readonly #home: RegExp | null

  constructor(cleaner: Cleaner, home: string) {
    this.#cleaner = cleaner
    this.#home = patternOf(home)
  }

  /** Cleans all strings in a value, but not its member names, which partner defines. */
  json(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((one: JsonValue) => this.json(one))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.json(one ?? null)]))
  }

  text(text: string): string {
    const { known } = this.#cleaner
    let clean = hideSecrets(this.#withoutQuotes(text), known.secretList)
    if (this.#home !== null) clean = clean.replace(this.#home, '~')
    clean = replaceSpans(clean, findEmails(clean), (found) => this.#cleaner.text('email', found))
    clean = replaceSpans(clean, findAllCards(clean, known), (found) => this.#cleaner.text('card', found))
    clean = replaceSpans(clean, findPhones(clean, known), (found) => this.#cleaner.text('phone', found))
    return clean.replace(WORD, (word) =>
      !/^[a-z]/.test(word) && known.names.has(comparableName(word)) ? this.#cleaner.text('name', word) : word,
    )
  }

  /** Removes text from the service that partner's errors quote, such as messages and the start of invalid JSON. */
  #withoutQuotes(text: string): string {
    let clean = text.replace(QUOTED_BODY, '[dropped] is not valid JSON')
    for (const [sentence, instead] of this.#cleaner.known.sentences)
      if (clean.includes(sentence)) clean = clean.replaceAll(sentence, () => instead)
    return clean
  }
}

/**
 * Returns a pattern that finds a directory in messages, or `null` for '' and a root directory. On Windows, the pattern
 * ignores case and also matches slashes and doubled backslashes.
 */
function patternOf(directory: string): RegExp | null {
  const isWindows = /^(?:[A-Za-z]:|\\)/.test(directory)
  const parts = directory.replace(isWindows ? /[\\/]+$/ : /\/+$/, '').split(isWindows ? /[\\/]/ : '/')
  const text = parts
    .map((part) => part.replace(/[^\w]/g, String.raw`\$&`))
    .join(isWindows ? String.raw`[\\/]{1,2}` : '/')
  return parts.length < 2 ? null : new RegExp(text, isWindows ? 'gi' : 'g')
}
