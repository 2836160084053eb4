/** Bytes as they should be, or with one mistake in them. */
export interface Variant {
  readonly bytes: Buffer
  /** The mistake as the end of the sentence "it would be right, but …"; null for bytes without one. */
  readonly mistake: string | null
}

/** A mistake, and the text or bytes that it leads to; null when it does not apply. */
export type Mistake = readonly [mistake: string, result: string | Uint8Array | null]

/** Makes the right bytes, then those of every mistake that makes a difference. */
export function makeVariants(right: string | Uint8Array, mistakes: readonly Mistake[]): Variant[] {
  const rightBytes = Buffer.from(right)
  const variants = mistakes.flatMap(([mistake, result]) =>
    result === null ? [] : { mistake, bytes: Buffer.from(result) },
  )
  return [{ mistake: null, bytes: rightBytes }, ...variants.filter(({ bytes }) => !bytes.equals(rightBytes))]
}
