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
  return [...new Fresh([right]).filter(changes.flatMap((change) => applyTo({ text: right, mistakes: [] }, change)))]
}

/** Makes every two of the mistakes, in both orders. Leaves out what `singles` have already. */
export function makePairs(right: string, singles: readonly Variant[], changes: readonly Change[]): Variant[] {
  const fresh = new Fresh([right, ...singles.map(({ text }) => text)])
  return changes.flatMap((first) =>
    applyTo({ text: right, mistakes: [] }, first).flatMap((once) => [
      ...fresh.filter(changes.filter((second) => second !== first).flatMap((second) => applyTo(once, second))),
    ]),
  )
}

/** Makes a mistake in what has others; empty when it cannot be made there. */
export function applyTo({ text, mistakes }: Variant, { apply, what, instead }: Change): Variant[] {
  const changed = apply(text)
  return changed === null || changed === text ? [] : [{ text: changed, mistakes: [...mistakes, { what, instead }] }]
}

/** Lets each text through once. */
export class Fresh {
  readonly #seen: Set<string>

  /** `seen` are the texts that never come through. */
  constructor(seen: Iterable<string>) {
    this.#seen = new Set(seen)
  }

  /** The variants whose text has not come through before. */
  *filter(variants: Iterable<Variant>): Generator<Variant> {
    for (const variant of variants) {
      if (this.#seen.has(variant.text)) continue
      this.#seen.add(variant.text)
      yield variant
    }
  }
}
