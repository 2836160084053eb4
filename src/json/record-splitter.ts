import { BYTE, beginsValue, describeKind, isSpace } from './bytes.ts'
import { type JsonObject, parseExact } from './exact.ts'
import { formatSize, RecordStreamError, type RecordStreamProblem } from './record-stream-error.ts'
import { ValueReader } from './value-reader.ts'

/** What is told about a list before it is read. */
export interface RecordOptions {
  /** The member that holds the list in an object (`bookings`, `items`), or null when the answer itself is the array. */
  readonly listMember: string | null
  /** The largest record, in bytes; 16 MiB unless told. */
  readonly maxRecordBytes?: number
  /** The most brackets inside brackets within one record; 256 unless told. */
  readonly maxDepth?: number
}

/** What stands at the end of a list that came whole. */
export interface ListEnd {
  /** The members beside the list (`count`, `from`, `to`), numbers digit for digit; empty for a bare array. */
  readonly envelope: JsonObject
  /** How many records there were. */
  readonly records: number
}

const MAX_RECORD_BYTES = 16 * 1024 ** 2
const MAX_ENVELOPE_BYTES = 64 * 1024
const MAX_DEPTH = 256
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** What may come next, white space aside, and how a person is told that it did not. */
const SHOULD_STAND = {
  start: 'a list',
  'first-name': 'a member name or the closing brace',
  name: 'a member name',
  colon: 'a colon',
  member: 'a value',
  'after-member': 'a comma or the closing brace',
  list: 'a list',
  'first-record': 'a record or the end of the list',
  record: 'a record',
  'after-record': 'a comma or the end of the list',
  nothing: 'nothing more',
} as const

/** One list answer between two chunks: where it stands in the grammar, and what it has seen of the object around the list. */
export class RecordSplitter {
  readonly #listMember: string | null
  readonly #maxRecordBytes: number
  readonly #maxDepth: number
  readonly #values: ValueReader
  readonly #members: string[] = []
  #expected: keyof typeof SHOULD_STAND = 'start'
  #markBytes = 0
  #name = ''
  #listSeen = false
  #records = 0
  #envelopeBytes = 0
  /** How many bytes came before the present ones. */
  #before = 0

  constructor(options: RecordOptions) {
    this.#listMember = options.listMember
    this.#maxRecordBytes = options.maxRecordBytes ?? MAX_RECORD_BYTES
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH
    this.#values = new ValueReader(this.#maxDepth, (kind) => this.#valueProblem(kind))
  }

  /** Adds the records that end in these bytes to the batch. Answers the problem that ends the list, or null. */
  push(bytes: Buffer, batch: string[]): RecordStreamError | null {
    try {
      let at = 0
      while (at < bytes.length) {
        const byte = bytes[at] as number
        if (this.#values.open || this.#startsValue(byte)) at = this.#value(bytes, at, batch)
        else {
          if (!isSpace(byte)) this.#structure(byte, this.#before + at)
          at++
        }
      }
      this.#before += bytes.length
      return null
    } catch (error) {
      if (error instanceof RecordStreamError) return error
      throw error
    }
  }

  /** Fails: truncated, when the answer has not come to its end. */
  end(): ListEnd {
    if (this.#expected !== 'nothing') throw this.#problem('truncated', this.#whereItStopped())
    // Parsed as one object, so that a member called __proto__ or one that comes twice is what JSON.parse makes of it.
    return { envelope: parseExact(`{${this.#members.join(',')}}`) as JsonObject, records: this.#records }
  }

  get #inRecord(): boolean {
    return this.#expected === 'record' || this.#expected === 'first-record'
  }

  #startsValue(byte: number): boolean {
    if (this.#expected === 'name' || this.#expected === 'first-name') return byte === BYTE.QUOTE
    return (this.#inRecord || this.#expected === 'member') && beginsValue(byte)
  }

  #value(bytes: Buffer, at: number, batch: string[]): number {
    const limit = this.#inRecord ? this.#maxRecordBytes : MAX_ENVELOPE_BYTES - this.#envelopeBytes
    const end = this.#values.read(bytes, at, limit)
    const text = this.#values.text
    if (text === null) return end
    if (this.#inRecord) {
      batch.push(text)
      this.#records++
      this.#expected = 'after-record'
      return end
    }
    this.#envelopeBytes += Buffer.byteLength(text)
    if (this.#expected === 'member') {
      this.#members.push(`${JSON.stringify(this.#name)}:${text}`)
      this.#expected = 'after-member'
    } else {
      this.#name = JSON.parse(text) as string
      this.#expected = 'colon'
    }
    return end
  }

  /** Takes one byte between the values. */
  #structure(byte: number, position: number): void {
    const expected = this.#expected
    if (expected === 'start') this.#start(byte, position)
    else if (expected === 'list') this.#openList(byte, position)
    else if (expected === 'colon' && byte === BYTE.COLON) this.#expected = this.#isList() ? 'list' : 'member'
    else if (expected === 'after-member' && byte === BYTE.COMMA) this.#expected = 'name'
    else if ((expected === 'after-member' || expected === 'first-name') && byte === BYTE.CLOSE_BRACE)
      this.#closeObject()
    else if (expected === 'after-record' && byte === BYTE.COMMA) this.#expected = 'record'
    else if ((expected === 'after-record' || expected === 'first-record') && byte === BYTE.CLOSE_BRACKET)
      this.#expected = this.#listMember === null ? 'nothing' : 'after-member'
    else throw this.#unexpected(position)
  }

  #start(byte: number, position: number): void {
    if (position === this.#markBytes && byte === BYTE_ORDER_MARK[position]) this.#markBytes++
    else if (this.#markBytes % BYTE_ORDER_MARK.length !== 0) throw this.#unexpected(position)
    else if (this.#listMember === null) this.#openList(byte, position)
    else if (byte === BYTE.OPEN_BRACE) this.#expected = 'first-name'
    else if (beginsValue(byte))
      throw this.#problem('not-a-list', `the answer is ${describeKind(byte)}, not an object with a list`)
    else throw this.#unexpected(position)
  }

  #openList(byte: number, position: number): void {
    if (!beginsValue(byte)) throw this.#unexpected(position)
    if (byte !== BYTE.OPEN_BRACKET) {
      const subject = this.#listMember === null ? 'the answer' : this.#member(this.#listMember)
      throw this.#problem('not-a-list', `${subject} is ${describeKind(byte)}, not a list`)
    }
    this.#expected = 'first-record'
  }

  #isList(): boolean {
    if (this.#name !== this.#listMember) return false
    if (this.#listSeen) throw this.#problem('malformed', `${this.#member(this.#name)} comes twice`)
    this.#listSeen = true
    return true
  }

  #closeObject(): void {
    if (!this.#listSeen) throw this.#problem('not-a-list', `the answer has no member ${shown(this.#listMember ?? '')}`)
    this.#expected = 'nothing'
  }

  #problem(kind: RecordStreamProblem, what: string): RecordStreamError {
    return new RecordStreamError(kind, what, this.#records)
  }

  #unexpected(position: number): RecordStreamError {
    return this.#problem('malformed', `the answer should have ${SHOULD_STAND[this.#expected]} at byte ${position}`)
  }

  #valueProblem(kind: RecordStreamProblem): RecordStreamError {
    const subject = this.#subject()
    switch (kind) {
      case 'too-large':
        return this.#inRecord
          ? this.#problem(kind, `${subject} is larger than ${formatSize(this.#maxRecordBytes)}`)
          : this.#problem(kind, `what the answer has beside its list is larger than ${formatSize(MAX_ENVELOPE_BYTES)}`)
      case 'too-deep':
        return this.#problem(kind, `${subject} is nested more than ${this.#maxDepth} levels deep`)
      case 'bad-utf8':
        return this.#problem(kind, `${subject} is not UTF-8`)
      default:
        return this.#problem(kind, `${subject} is not valid JSON`)
    }
  }

  #subject(): string {
    if (this.#inRecord) return `record ${this.#records + 1}`
    return this.#expected === 'member' ? this.#member(this.#name) : 'a member name'
  }

  #member(name: string): string {
    return `the member ${shown(name)}`
  }

  #whereItStopped(): string {
    if (this.#before === 0) return 'the answer is empty'
    if (this.#values.open) return `the answer stops in the middle of ${this.#subject()}`
    return this.#records > 0
      ? `the answer stops after record ${this.#records}`
      : 'the answer stops before its first record'
  }
}

/** A member name from the answer, short and with its control characters escaped. */
function shown(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
}
