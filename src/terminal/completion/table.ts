/** How to complete a word: a kind of values.ts; `=` or, for lists with commas, `,` and words joined by `|`; or ''. */
export type Kind = string

export interface TableFlag {
  readonly name: string
  readonly char?: string
  readonly about: string
  /** How to complete its value; absent if it has none. */
  readonly value?: Kind
  /** Its value may be left out. */
  readonly isBare?: true
  readonly repeats?: true
  readonly isGlobal?: true
}

export interface TableCommand {
  readonly about: string
  /** Indices in {@link Table.flags}. */
  readonly flags: readonly number[]
  readonly args: readonly Kind[]
  /** Its records have only the columns that `--columns` completes. */
  readonly hasFixedColumns?: true
  /** Its last argument may be repeated. */
  readonly repeats?: true
  /** An alias, which is completed only once it is typed. */
  readonly isAlias?: true
}

export type Named = readonly [name: string, about: string]

/** The whole command line, from the build, so that the launcher answers a Tab without loading the tool. */
export interface Table {
  /** Codes and names of the standard booking statuses. */
  readonly statuses: readonly Named[]
  /** By their words: `sandbox faults`. */
  readonly topics: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, TableCommand>>
  readonly flags: readonly TableFlag[]
  readonly guides: readonly Named[]
  readonly allGuides: readonly Named[]
}
