const MOST = 20

/** Lines that cannot be read, and why. */
export class UnreadLines {
  readonly #lines: { readonly line: number; readonly why: string }[] = []

  add(line: number, why: string): void {
    this.#lines.push({ line, why })
  }

  /** A sentence for each of the first, in their order; the last says how many more there are. */
  get problems(): readonly string[] {
    const all = this.#lines.toSorted((one, other) => one.line - other.line)
    const told = all.slice(0, MOST).map(({ line, why }) => `line ${line}: ${why}`)
    return all.length <= MOST ? told : [...told, `${all.length - MOST} more lines cannot be read`]
  }
}
