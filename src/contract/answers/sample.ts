import { type JsonValue, parseExact } from '../../base/json/exact.ts'

/** An answer, or as much of it as is looked at. */
export interface Sample {
  readonly value: JsonValue
  /** True: further records, and what stands behind them, are left out. */
  readonly isCut: boolean
}

/** How much of an answer is looked at. */
export const MOST_BYTES = 1024 * 1024

/** The beginning of a body that comes in pieces. */
export class BodyStart {
  readonly #chunks: Uint8Array[] = []
  #kept = 0
  #isCut = false

  /** Keeps a copy of a piece, as far as there is room. */
  take(chunk: Uint8Array): void {
    const part = chunk.subarray(0, MOST_BYTES - this.#kept)
    if (part.byteLength < chunk.byteLength) this.#isCut = true
    if (part.byteLength === 0) return
    // Whoever reads the piece may use its memory again.
    this.#chunks.push(Uint8Array.from(part))
    this.#kept += part.byteLength
  }

  get isEmpty(): boolean {
    return this.#kept === 0
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** What it says; null when it is no JSON. `isWhole`: it was read to its end. */
  sample(isWhole: boolean): Sample | null {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: !isWhole })
    // Whoever has the records that it wants stops reading, perhaps with the end at hand.
    const whole = this.#isCut ? null : sampleOf(text, false)
    return whole ?? (isWhole && !this.#isCut ? null : sampleOf(text, true))
  }
}

/** Reads an answer, or the whole records at the beginning of one that is cut. Null when it is no JSON. */
export function sampleOf(text: string, isCut: boolean): Sample | null {
  const readable = isCut ? wholeRecords(text) : text
  if (readable === null) return null
  try {
    return { value: parseExact(readable), isCut }
  } catch {
    return null
  }
}

/** The whole records at the beginning of an answer that is cut, closed as if it ended behind them; null when there is none. */
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
