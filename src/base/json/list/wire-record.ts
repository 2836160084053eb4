import { isJsonObject, type JsonValue, parseEachNumber, parseExact } from '../exact.ts'

/** The position of a record in the received bytes. */
export interface Place {
  /** The received bytes, which are valid UTF-8 and never change. */
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
  /** Whether JSON.parse preserves every number in the record exactly. */
  readonly isPlain: boolean
  readonly isOneLine: boolean
}

/**
 * A record that keeps its original text, so that it is printed exactly as it was received. Decoded and parsed on
 * demand.
 */
export class WireRecord {
  #place: Place | null = null
  #text: string | null
  #value: JsonValue | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Creates a record from a value that partner built. Every `ExactNumber` keeps all of its digits. */
  static of(value: JsonValue): WireRecord {
    const record = new WireRecord('')
    record.#text = null
    record.#value = value
    return record
  }

  /** Creates a record from valid JSON in received bytes. The record keeps those bytes in memory. */
  static at(place: Place): WireRecord {
    const record = new WireRecord('')
    record.#text = null
    record.#place = place
    return record
  }

  get text(): string {
    if (this.#text === null) {
      const place = this.#place
      this.#text = place === null ? JSON.stringify(this.#value) : place.bytes.toString('utf8', place.from, place.to)
    }
    return this.#text
  }

  /** Whether the record was created by {@link of} and its text has not been generated yet. */
  get isOwn(): boolean {
    return this.#place === null && this.#text === null
  }

  /** Yields the JSON text in pieces, so that printing a long list needs little memory. */
  parts(): Generator<string> {
    return jsonParts(this.value)
  }

  /** The parsed value, with exact numbers. Throws SyntaxError if the text is not JSON. */
  get value(): JsonValue {
    if (this.#value === undefined) {
      const { text } = this
      const place = this.#place
      this.#value = place === null ? parseExact(text) : place.isPlain ? JSON.parse(text) : parseEachNumber(text)
    }
    return this.#value as JsonValue
  }

  /** The record's position in the received bytes; `null` unless {@link at} created the record. */
  get place(): Place | null {
    return this.#place
  }
}

const MANY = 500

function isLong(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value) && value.length > MANY
}

function* jsonParts(value: JsonValue): Generator<string> {
  if (!isJsonObject(value) || !Object.values(value).some(isLong)) {
    yield JSON.stringify(value)
    return
  }
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!isLong(member)) yield JSON.stringify(member)
    else {
      for (let at = 0; at < member.length; at += MANY)
        yield (at === 0 ? '[' : ',') + JSON.stringify(member.slice(at, at + MANY)).slice(1, -1)
      yield ']'
    }
  }
  yield '}'
}

export type RecordBatches = AsyncGenerator<readonly WireRecord[]>
