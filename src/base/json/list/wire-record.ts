import { isJsonObject, type JsonValue, parseEachNumber, parseExact } from '../exact.ts'

/** The place of a record in the received bytes. */
export interface Place {
  /** Strict UTF-8, never written to again. */
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
  /** True if JSON.parse reads all of its numbers exactly. */
  readonly isPlain: boolean
  readonly isOneLine: boolean
}

/** A record with its own text, to print it exactly as it was sent. Decodes and parses only on demand. */
export class WireRecord {
  #place: Place | null = null
  #text: string | null
  #value: JsonValue | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Makes a record of our own. Numbers kept as text stay digit for digit. */
  static of(value: JsonValue): WireRecord {
    const record = new WireRecord('')
    record.#text = null
    record.#value = value
    return record
  }

  /** A valid JSON value in received bytes, which stay in memory until it is decoded. */
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

  /** Whether it was made by {@link of}. */
  get isOwn(): boolean {
    return this.#place === null && this.#text === null
  }

  /** Yields the text in pieces; long lists are split. */
  parts(): Generator<string> {
    return jsonParts(this.value)
  }

  /** The value with exact numbers. Fails: SyntaxError if the text is not JSON. */
  get value(): JsonValue {
    if (this.#value === undefined) {
      const { text } = this
      const place = this.#place
      this.#value = place === null ? parseExact(text) : place.isPlain ? JSON.parse(text) : parseEachNumber(text)
    }
    return this.#value as JsonValue
  }

  /** Null for a record that was made from text. */
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
