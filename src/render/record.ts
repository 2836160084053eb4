import { type JsonValue, parseExact } from '../json/exact.ts'

/** One record with its own text, so that it can be printed exactly as the service wrote it. It is parsed when first asked for. */
export class WireRecord {
  readonly text: string
  #value: JsonValue | undefined

  /** @param text one JSON value, as it came. */
  constructor(text: string) {
    this.text = text
  }

  /** A record that did not come over the wire; numbers kept as text stay digit for digit. */
  static of(value: JsonValue): WireRecord {
    const record = new WireRecord(JSON.stringify(value))
    record.#value = value
    return record
  }

  /** The record, with exact numbers. Fails: SyntaxError when the text is not JSON. */
  get value(): JsonValue {
    this.#value ??= parseExact(this.text)
    return this.#value
  }
}
