import { type JsonValue, parseExact } from '../../base/json/exact.ts'

/** A parsed response, or the parsed start of a response. */
export interface Sample {
  readonly value: JsonValue
  /** Whether the response was truncated. If so, the last records and the members after the list are missing. */
  readonly isCut: boolean
}

/** The maximum number of bytes of a response to examine. */
export const MOST_BYTES = 1024 * 1024

/** Collects the start of a response body. */
export class BodyStart {
  readonly #chunks: Uint8Array[] = []
  #kept = 0
  #isCut = false

  add(chunk: Uint8Array): void {
    const part = chunk.subarray(0, MOST_BYTES - this.#kept)
    if (part.byteLength < chunk.byteLength) this.#isCut = true
    if (part.byteLength === 0) return
    // The chunk is copied because the caller may reuse its memory.
    this.#chunks.push(Uint8Array.from(part))
    this.#kept += part.byteLength
  }

  get isEmpty(): boolean {
    return this.#kept === 0
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Parses the collected bytes. Returns `null` if they are not JSON. `isWhole` means that the whole body was read. */
  sample(isWhole: boolean): Sample | null {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: !isWhole })
    // The text may be complete even if `isWhole` is false, because a caller may stop reading right after the end of the
    // JSON.
    const whole = this.#isCut ? null : parseSample(text, false)
    return whole ?? (isWhole && !this.#isCut ? null : parseSample(text, true))
  }
}

/** Parses a response. If the response is truncated, parses its complete records. Returns `null` if it is not JSON. */
export function parseSample(text: string, isCut: boolean): Sample | null {
  const readable = isCut ? wholeRecords(text) : text
  if (readable === null) return null
  try {
    return { value: parseExact(readable), isCut }
  } catch {
    return null
  }
}

/**
 * Returns a truncated response up to its last complete record, with closing brackets, as valid JSON. Returns `null` if
 * it contains no complete record.
 */
function wholeRecords(text: string): string | null {
  const open: string[] = []
  let isInText = false
  let end = 0
  let closing = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (isInText) {
      if (sign === '\\') at++
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '{') open.push('}')
    else if (sign === '[') open.push(']')
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ',' && open.at(-1) === ']' && open.length <= 2) {
      end = at
      closing = open.toReversed().join('')
    }
  }
  return end === 0 ? null : text.slice(0, end) + closing
}
