import { type JsonValue, parseEachNumber, parseExact } from '../exact.ts'

/** Where a record stands in the bytes that came, and what is known of it without decoding it. */
export interface Place {
  /** Strict UTF-8, and never written to again. */
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
  /** True: no number in it needs more than JSON.parse. */
  readonly isPlain: boolean
  /** True: there is no line break in it. */
  readonly isOneLine: boolean
}

/**
 * One record with its own text, so that it can be printed exactly as the service wrote it. It stays bytes until somebody asks for
 * its text, and text until somebody asks for its value.
 */
export class WireRecord {
  #place: Place | null = null
  #text: string | null
  #value: JsonValue | undefined

  /** @param text one JSON value, as it came. */
  constructor(text: string) {
    this.#text = text
  }

  /** A record that did not come over the wire; numbers kept as text stay digit for digit. */
  static of(value: JsonValue): WireRecord {
    const record = new WireRecord(JSON.stringify(value))
    record.#value = value
    return record
  }

  /** A record where it stands, one valid JSON value. Keeps its bytes until it is decoded. */
  static at(place: Place): WireRecord {
    const record = new WireRecord('')
    record.#text = null
    record.#place = place
    return record
  }

  /** The text, as it came. */
  get text(): string {
    if (this.#text === null) {
      const { bytes, from, to } = this.#place as Place
      this.#text = bytes.toString('utf8', from, to)
    }
    return this.#text
  }

  /** The record, with exact numbers. Fails: SyntaxError when the text is not JSON. */
  get value(): JsonValue {
    if (this.#value === undefined) {
      const { text } = this
      const place = this.#place
      this.#value = place === null ? parseExact(text) : place.isPlain ? JSON.parse(text) : parseEachNumber(text)
    }
    return this.#value as JsonValue
  }

  /** Where it stands in the bytes that came; null for one that is known as text. */
  get place(): Place | null {
    return this.#place
  }
}
