/** Bytes as they should be, or as a usual mistake makes them. */
export interface Variant {
  readonly bytes: Buffer
  /** The mistake as the end of the sentence "it would be right, but …"; null for what is as it should be. */
  readonly mistake: string | null
}

/** A mistake and what it makes of a text or of bytes; null when it cannot be made there. */
export type Mistake = readonly [mistake: string, result: string | Uint8Array | null]

/** What is as it should be, then the mistakes that make a difference. */
export function makeVariants(right: string | Uint8Array, mistakes: readonly Mistake[]): Variant[] {
  const rightBytes = Buffer.from(right)
  const variants = mistakes.flatMap(([mistake, result]) =>
    result === null ? [] : { mistake, bytes: Buffer.from(result) },
  )
  return [{ mistake: null, bytes: rightBytes }, ...variants.filter(({ bytes }) => !bytes.equals(rightBytes))]
}
