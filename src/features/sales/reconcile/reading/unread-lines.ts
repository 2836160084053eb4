import { usageFailure } from '../../../../base/failure/failure.ts'

const MOST = 20

/** Collects a file's unreadable lines and the reasons why they cannot be read. */
export class UnreadableLines {
  readonly #lines: { readonly line: number; readonly why: string }[] = []

  add(line: number, why: string): void {
    this.#lines.push({ line, why })
  }

  /** Throws USAGE if any line was added. The error lists the first few lines and counts the rest. */
  throwIfAny(name: string): void {
    const all = this.#lines.toSorted((one, other) => one.line - other.line)
    const messages = all.slice(0, MOST).map(({ line, why }) => `${name}: line ${line}: ${why}`)
    const more = all.length <= MOST ? [] : [`${name}: ${all.length - MOST} more lines cannot be read`]
    if (all.length > 0)
      throw usageFailure(
        [...messages, ...more],
        'nothing was sent; correct these lines, because the comparison would be incomplete without them',
      )
  }
}
