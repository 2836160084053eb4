import { usageFailure } from '../../../../base/failure/failure.ts'

const MOST = 20

export class UnreadLines {
  readonly #lines: { readonly line: number; readonly why: string }[] = []

  add(line: number, why: string): void {
    this.#lines.push({ line, why })
  }

  /** Fails: USAGE with a sentence for each of the first lines; the last says how many more there are. */
  throwIfAny(name: string): void {
    const all = this.#lines.toSorted((one, other) => one.line - other.line)
    const told = all.slice(0, MOST).map(({ line, why }) => `${name}: line ${line}: ${why}`)
    const more = all.length <= MOST ? [] : [`${name}: ${all.length - MOST} more lines cannot be read`]
    if (all.length > 0)
      throw usageFailure(
        [...told, ...more],
        'mend these lines: a sale that is left out would be missing on one side; nothing was sent',
      )
  }
}
