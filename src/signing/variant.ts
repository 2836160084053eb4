/** A mistake that makes a signature wrong. */
export interface Mistake {
  /** What went wrong, as a clause without secrets: `the URL was put before the body`. */
  readonly what: string
  /** What to do, as a clause without secrets: `sign this URL, byte for byte: "https://…"`. */
  readonly instead: string
}

/** A way to make a mistake. Texts stand for bytes, one character each (latin1), except for URLs. */
export interface Change extends Mistake {
  /** Makes the mistake; null if it is impossible in this text. */
  readonly apply: (text: string) => string | null
}

export type Variant = { readonly text: string; readonly mistakes: readonly Mistake[] }

/** Makes each mistake alone, without duplicates. */
export function makeSingles(right: string, changes: readonly Change[]): Variant[] {
  const made = changes.flatMap((change) => applyTo({ text: right, mistakes: [] }, change))
  return [...eachOnce([right])(made)]
}

/** Makes all pairs of mistakes, in both orders, without those in `singles`. */
export function makePairs(right: string, singles: readonly Variant[], changes: readonly Change[]): Variant[] {
  const fresh = eachOnce([right, ...singles.map(({ text }) => text)])
  return changes.flatMap((first) =>
    applyTo({ text: right, mistakes: [] }, first).flatMap((once) => [
      ...fresh(changes.filter((second) => second !== first).flatMap((second) => applyTo(once, second))),
    ]),
  )
}

/** Adds a mistake; empty if it is impossible. */
export function applyTo({ text, mistakes }: Variant, { apply, what, instead }: Change): Variant[] {
  const changed = apply(text)
  return changed === null || changed === text ? [] : [{ text: changed, mistakes: [...mistakes, { what, instead }] }]
}

/** Returns a filter that yields each text only once, across all its uses, and never a text in `seen`. */
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

/** A number of mistakes. */
export type Count = 0 | 1 | 2

/** Candidates by number of mistakes. */
export type Counted<T> = (count: Count) => Iterable<T>
