import { BYTE, BYTE_ORDER_MARK, beginsValue, describeKind, isSpace } from '../bytes.ts'
import { type JsonObject, parseExact } from '../exact.ts'
import { MAX_DEPTH } from '../parse.ts'
import { formatSize, RecordStreamError, type RecordStreamProblem } from '../record-stream-error.ts'
import { EXPECTED, nameAll, quoteName } from './list-words.ts'
import { ValueReader } from './value-reader.ts'
import type { WireRecord } from './wire-record.ts'

export interface RecordOptions {
  /** The name of the member that contains the list, such as `bookings`; `null` if the response itself is the list. */
  readonly listMember: string | null
  /**
   * Other members that may contain the list instead. If this is set, the response may also be a list itself, and `null`
   * counts as an empty list.
   */
  readonly otherMembers?: readonly string[] | undefined
  /** The maximum size of a record, in bytes. Default: 16 MiB. */
  readonly maxRecordBytes?: number
  /** The maximum nesting depth, in levels. Default: 256. */
  readonly maxDepth?: number
}

export interface ListEnd {
  /**
   * The other members of the response, such as `count`, with exact numbers. Empty if the response itself is the list.
   */
  readonly envelope: JsonObject
  readonly records: number
}

const MAX_RECORD_BYTES = 16 * 1024 ** 2
const MAX_ENVELOPE_BYTES = 64 * 1024
/** Matches a count of zero, such as `"count":0`. In a response with such a count, the list may be missing. */
const SAYS_NONE = /^"(?:count|total|length)":0$/
const NULL = Buffer.from('null')

/** Splits a list into records as its chunks arrive. Also collects the other members of the response. */
export class RecordSplitter {
  readonly #listMember: string | null
  readonly #otherMembers: readonly string[] | null
  readonly #maxRecordBytes: number
  readonly #maxDepth: number
  readonly #values: ValueReader
  readonly #members: string[] = []
  #expected: keyof typeof EXPECTED = 'start'
  #markBytes = 0
  #name = ''
  /** The member that contains the list, or '' if the response itself is the list. `null` until the list begins. */
  #entered: string | null = null
  #nullSeen = false
  #nullBytes = 0
  #records = 0
  #envelopeBytes = 0
  #before = 0

  constructor(options: RecordOptions) {
    this.#listMember = options.listMember
    this.#otherMembers = options.otherMembers ?? null
    this.#maxRecordBytes = options.maxRecordBytes ?? MAX_RECORD_BYTES
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH
    this.#values = new ValueReader(this.#maxDepth, (kind) => this.#valueProblem(kind))
  }

  /**
   * Reads the next bytes and adds each record that they complete to the batch. Returns the problem that ends the list,
   * or `null`.
   */
  push(bytes: Buffer, batch: WireRecord[]): RecordStreamError | null {
    try {
      let at = 0
      while (at < bytes.length) {
        const byte = bytes[at] as number
        if (this.#values.isOpen || this.#startsValue(byte)) at = this.#readValue(bytes, at, batch)
        else {
          if (!isSpace(byte)) this.#readStructure(byte, this.#before + at)
          // If the member turns out not to be a list, this byte begins its value and must be read again.
          if (this.#expected !== 'member' || isSpace(byte) || byte === BYTE.COLON) at++
        }
      }
      this.#before += bytes.length
      return null
    } catch (error) {
      if (error instanceof RecordStreamError) return error
      throw error
    }
  }

  /**
   * Returns the other members of the response. Throws RecordStreamError with the problem `truncated` if the list is
   * incomplete.
   */
  end(): ListEnd {
    if (this.#expected !== 'nothing') throw this.#problem('truncated', this.#describeStop())
    // Like JSON.parse, treats `__proto__` as an ordinary member and uses the last of several members with the same
    // name.
    return { envelope: parseExact(`{${this.#members.join(',')}}`) as JsonObject, records: this.#records }
  }

  get #inRecord(): boolean {
    return this.#expected === 'record' || this.#expected === 'first-record'
  }

  #startsValue(byte: number): boolean {
    if (this.#expected === 'name' || this.#expected === 'first-name') return byte === BYTE.QUOTE
    return (this.#inRecord || this.#expected === 'member') && beginsValue(byte)
  }

  #readValue(bytes: Buffer, at: number, batch: WireRecord[]): number {
    const limit = this.#inRecord ? this.#maxRecordBytes : MAX_ENVELOPE_BYTES - this.#envelopeBytes
    const end = this.#values.read(bytes, at, limit)
    const { value } = this.#values
    if (value === null) return end
    if (this.#inRecord) {
      batch.push(value)
      this.#records++
      this.#expected = 'after-record'
      return end
    }
    const { text } = value
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

  #readStructure(byte: number, position: number): void {
    const expected = this.#expected
    if (expected === 'start') this.#readStart(byte, position)
    else if (expected === 'null') this.#readNull(byte, position)
    else if (expected === 'list') this.#openList(byte, position)
    else if (expected === 'colon' && byte === BYTE.COLON) this.#expected = this.#mayHoldList() ? 'list' : 'member'
    else if (expected === 'after-member' && byte === BYTE.COMMA) this.#expected = 'name'
    else if ((expected === 'after-member' || expected === 'first-name') && byte === BYTE.CLOSE_BRACE)
      this.#closeObject()
    else if (expected === 'after-record' && byte === BYTE.COMMA) this.#expected = 'record'
    else if ((expected === 'after-record' || expected === 'first-record') && byte === BYTE.CLOSE_BRACKET)
      this.#expected = this.#entered === '' ? 'nothing' : 'after-member'
    else throw this.#unexpectedByte(position)
  }

  #readStart(byte: number, position: number): void {
    const [isBare, isObject] = [this.#listMember === null, byte === BYTE.OPEN_BRACE]
    if (position === this.#markBytes && byte === BYTE_ORDER_MARK[position]) this.#markBytes++
    else if (this.#markBytes % BYTE_ORDER_MARK.length !== 0 || !beginsValue(byte)) throw this.#unexpectedByte(position)
    else if (isObject && (!isBare || this.#otherMembers)) this.#expected = 'first-name'
    else if (byte === BYTE.OPEN_BRACKET && (isBare || this.#otherMembers)) this.#enter('')
    else if (byte === NULL[0] && this.#otherMembers) {
      this.#expected = 'null'
      this.#readNull(byte, position)
    } else throw this.#problem('not-a-list', `the response is ${describeKind(byte)}, not ${this.#describeExpected()}`)
  }

  #describeExpected(): string {
    if (this.#otherMembers) return 'a list or an object with a list'
    return this.#listMember === null ? 'a list' : 'an object with a list'
  }

  #readNull(byte: number, position: number): void {
    if (byte !== NULL[this.#nullBytes]) throw this.#unexpectedByte(position)
    this.#nullBytes++
    if (this.#nullBytes === NULL.length) this.#expected = 'nothing'
  }

  #mayHoldList(): boolean {
    if (this.#name !== this.#listMember && !this.#otherMembers?.includes(this.#name)) return false
    if (this.#entered === this.#name) throw this.#problem('malformed', `${this.#quoteMember(this.#name)} is repeated`)
    // Once the list in `listMember` has been read, lists in other members are ordinary values.
    return this.#entered === null || this.#entered !== this.#listMember
  }

  #openList(byte: number, position: number): void {
    if (!beginsValue(byte)) throw this.#unexpectedByte(position)
    if (byte === BYTE.OPEN_BRACKET) {
      this.#enter(this.#name)
      return
    }
    if (!this.#otherMembers)
      throw this.#problem('not-a-list', `${this.#quoteMember(this.#name)} is ${describeKind(byte)}, not a list`)
    this.#nullSeen ||= byte === NULL[0]
    this.#expected = 'member'
  }

  #enter(member: string): void {
    if (this.#entered !== null && this.#records > 0)
      throw this.#problem(
        'malformed',
        `the response has two lists, ${quoteName(this.#entered)} and ${quoteName(member)}`,
      )
    this.#entered = member
    this.#expected = 'first-record'
  }

  #closeObject(): void {
    const isEmpty = this.#nullSeen || (this.#otherMembers && this.#members.some((member) => SAYS_NONE.test(member)))
    if (this.#entered === null && !isEmpty) throw this.#problem('not-a-list', this.#describeMissing())
    this.#expected = 'nothing'
  }

  #describeMissing(): string {
    if (!this.#otherMembers) return `the response has no member ${quoteName(this.#listMember ?? '')}`
    return `the response has no list under ${nameAll([this.#listMember ?? [], this.#otherMembers].flat())}`
  }

  #problem(kind: RecordStreamProblem, what: string): RecordStreamError {
    return new RecordStreamError(kind, what, this.#records)
  }

  #unexpectedByte(position: number): RecordStreamError {
    return this.#problem('malformed', `expected ${EXPECTED[this.#expected]} at byte ${position} of the response`)
  }

  #valueProblem(kind: RecordStreamProblem): RecordStreamError {
    const subject = this.#describeSubject()
    if (kind === 'too-large' && !this.#inRecord)
      return this.#problem(kind, `the response contains more than ${formatSize(MAX_ENVELOPE_BYTES)} outside the list`)
    if (kind === 'too-large')
      return this.#problem(kind, `${subject} is larger than ${formatSize(this.#maxRecordBytes)}`)
    if (kind === 'too-deep') return this.#problem(kind, `${subject} is nested more than ${this.#maxDepth} levels deep`)
    return this.#problem(kind, `${subject} is not ${kind === 'bad-utf8' ? 'UTF-8' : 'valid JSON'}`)
  }

  #describeSubject(): string {
    if (this.#inRecord) return `record ${this.#records + 1}`
    return this.#expected === 'member' ? this.#quoteMember(this.#name) : 'a member name'
  }

  #quoteMember(name: string): string {
    return `the member ${quoteName(name)}`
  }

  #describeStop(): string {
    if (this.#before === 0) return 'the response is empty'
    if (this.#values.isOpen) return `the response ends in the middle of ${this.#describeSubject()}`
    return this.#records > 0
      ? `the response ends after record ${this.#records}`
      : 'the response ends before its first record'
  }
}
