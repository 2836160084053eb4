import { type JsonValue, parseExact } from '../../base/json/exact.ts'

/** An answer, or its start. */
export interface Sample {
  readonly value: JsonValue
  /** True: later records, and members after them, are left out. */
  readonly isCut: boolean
}

/** How much of an answer is examined. */
export const MOST_BYTES = 1024 * 1024

export class BodyStart {
  readonly #chunks: Uint8Array[] = []
  #kept = 0
  #isCut = false

  take(chunk: Uint8Array): void {
    const part = chunk.subarray(0, MOST_BYTES - this.#kept)
    if (part.byteLength < chunk.byteLength) this.#isCut = true
    if (part.byteLength === 0) return
    // The reader may reuse the memory of the piece.
    this.#chunks.push(Uint8Array.from(part))
    this.#kept += part.byteLength
  }

  get isEmpty(): boolean {
    return this.#kept === 0
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** The parsed start; null when it is not JSON. `isWhole`: it was read to its end. */
  sample(isWhole: boolean): Sample | null {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: !isWhole })
    // A reader that has enough records may stop just before the end.
    const whole = this.#isCut ? null : sampleOf(text, false)
    return whole ?? (isWhole && !this.#isCut ? null : sampleOf(text, true))
  }
}

/** Parses an answer, or the complete records of a cut one. Null when it is not JSON. */
export function sampleOf(text: string, isCut: boolean): Sample | null {
  const readable = isCut ? wholeRecords(text) : text
  if (readable === null) return null
  try {
    return { value: parseExact(readable), isCut }
  } catch {
    return null
  }
}

/** The complete records of a cut answer, closed as valid JSON; null for none. */
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
