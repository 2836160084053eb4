/** A mistake that makes a signature wrong. */
export interface Mistake {
  /** A clause that describes the mistake, such as `the URL was prepended to the body`. Contains no secret. */
  readonly what: string
  /** A clause that says what to do, such as `sign this URL, byte for byte: "https://…"`. Contains no secret. */
  readonly instead: string
}

/**
 * A mistake that can be applied to a text. Texts other than URLs are bytes decoded as latin1, one character for each
 * byte.
 */
export interface Change extends Mistake {
  /** Applies the mistake to a text. Returns `null` if the text cannot contain the mistake. */
  readonly apply: (text: string) => string | null
}

/** A text and the mistakes that it contains. */
export type Variant = { readonly text: string; readonly mistakes: readonly Mistake[] }

/** Applies each change separately. Omits duplicates. */
export function makeSingles(right: string, changes: readonly Change[]): Variant[] {
  const made = changes.flatMap((change) => applyTo({ text: right, mistakes: [] }, change))
  return [...eachOnce([right])(made)]
}

/** Applies every ordered pair of different changes. Omits texts that are already in `singles`. */
export function makePairs(right: string, singles: readonly Variant[], changes: readonly Change[]): Variant[] {
  const fresh = eachOnce([right, ...singles.map(({ text }) => text)])
  return changes.flatMap((first) =>
    applyTo({ text: right, mistakes: [] }, first).flatMap((once) => [
      ...fresh(changes.filter((second) => second !== first).flatMap((second) => applyTo(once, second))),
    ]),
  )
}

/** Applies a change to a variant. Returns an empty array if the change is impossible or has no effect. */
export function applyTo({ text, mistakes }: Variant, { apply, what, instead }: Change): Variant[] {
  const changed = apply(text)
  return changed === null || changed === text ? [] : [{ text: changed, mistakes: [...mistakes, { what, instead }] }]
}

/** Returns a filter that omits variants whose text is in `seen` or has already been yielded by any call. */
export function eachOnce(seen: Iterable<string>): (variants: Iterable<Variant>) => Generator<Variant> {
  const known = new Set(seen)
  return function* (variants) {
    for (const variant of variants) {
      if (known.has(variant.text)) continue
      known.add(variant.text)
      yield variant
    }
  }
}

/** The number of mistakes to combine. */
export type Count = 0 | 1 | 2

/** A function that returns the items with a given number of mistakes. */
export type Counted<T> = (count: Count) => Iterable<T>
