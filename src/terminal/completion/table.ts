/**
 * How to complete a word: the name of a finder in values.ts; `=` followed by the possible words, joined with `|`; the
 * same with `,` instead of `=` for comma-separated lists; or '' for no completion.
 */
export type Kind = string

export interface TableFlag {
  readonly name: string
  readonly char?: string
  readonly about: string
  /** How to complete the flag's value; absent if the flag has no value. */
  readonly value?: Kind
  /** Whether the flag's value is optional. */
  readonly isBare?: true
  readonly repeats?: true
  readonly isGlobal?: true
}

export interface TableCommand {
  readonly about: string
  /** Indices in {@link Table.flags}. */
  readonly flags: readonly number[]
  readonly args: readonly Kind[]
  /** Whether the command's records have only the columns that `--columns` completes. */
  readonly hasFixedColumns?: true
  /** Whether the command's last argument may be repeated. */
  readonly repeats?: true
  /** Whether the command is an alias. Aliases are not offered, but their flags and arguments are completed. */
  readonly isAlias?: true
}

export type Named = readonly [name: string, about: string]

/** All commands and flags, written at build time, so that the launcher completes without loading the whole program. */
export interface Table {
  /** Codes and names of the standard booking statuses. */
  readonly statuses: readonly Named[]
  /** Descriptions of topics, by their words, such as `sandbox faults`. */
  readonly topics: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, TableCommand>>
  readonly flags: readonly TableFlag[]
  readonly guides: readonly Named[]
  readonly allGuides: readonly Named[]
}
