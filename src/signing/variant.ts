/** A mistake that makes a signature wrong. */
export interface Mistake {
  /** What went wrong, as a clause: `the URL was put before the body`. Never with a secret in it. */
  readonly what: string
  /** What to do, as a clause: `sign this URL, byte for byte: "https://…"`. Never with a secret in it. */
  readonly instead: string
}

/** A way to make a mistake. Texts stand for bytes, one character each (latin1), except for URLs. */
export interface Change extends Mistake {
  /** Makes the mistake; null when it cannot be made in this text. */
  readonly apply: (text: string) => string | null
}

/** A text with mistakes in it. */
export interface Variant {
  readonly text: string
  readonly mistakes: readonly Mistake[]
}

/** Makes each mistake by itself. Leaves out what changes nothing, and what an earlier one makes too. */
export function makeSingles(right: string, changes: readonly Change[]): Variant[] {
  const made = changes.flatMap((change) => applyTo({ text: right, mistakes: [] }, change))
  return [...eachOnce([right])(made)]
}

/** Makes every two of the mistakes, in both orders. Leaves out what `singles` have already. */
export function makePairs(right: string, singles: readonly Variant[], changes: readonly Change[]): Variant[] {
  const fresh = eachOnce([right, ...singles.map(({ text }) => text)])
  return changes.flatMap((first) =>
    applyTo({ text: right, mistakes: [] }, first).flatMap((once) => [
      ...fresh(changes.filter((second) => second !== first).flatMap((second) => applyTo(once, second))),
    ]),
  )
}

/** Makes a mistake in what has others; empty when it cannot be made there. */
export function applyTo({ text, mistakes }: Variant, { apply, what, instead }: Change): Variant[] {
  const changed = apply(text)
  return changed === null || changed === text ? [] : [{ text: changed, mistakes: [...mistakes, { what, instead }] }]
}

/** Returns a filter that lets each text through once, however often it is used. The texts in `seen` never come through. */
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

/** How many mistakes are in something. */
export type Count = 0 | 1 | 2

/** What can be signed, by the number of mistakes in it. */
export type Counted<T> = (count: Count) => Iterable<T>
