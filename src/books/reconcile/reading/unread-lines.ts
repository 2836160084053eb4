const MOST = 20

/** Lines that cannot be read, with their numbers; the first of them are told. */
export class UnreadLines {
  readonly #lines: string[] = []
  #more = 0

  add(line: number, why: string): void {
    if (this.#lines.length < MOST) this.#lines.push(`line ${line}: ${why}`)
    else this.#more++
  }

  /** A sentence for each; the last says how many more there are. */
  get problems(): readonly string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `and ${this.#more} more lines that cannot be read`]
  }
}
