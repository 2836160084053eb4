/**
 * How to complete a word: the name of a function in values.ts, or a fixed list. A list such as `=csv|json` accepts one
 * word, and `,csv|json` accepts several, separated by commas. '' means no completion.
 */
export type Kind = string

export interface TableFlag {
  readonly name: string
  readonly char?: string
  readonly about: string
  /** How to complete the flag's value. Absent if the flag does not take a value. */
  readonly value?: Kind
  /** Whether the flag's value is optional. */
  readonly isBare?: true
  readonly repeats?: true
  readonly isGlobal?: true
}

export interface TableCommand {
  readonly about: string
  /** The command's flags, as indices into {@link Table.flags}. */
  readonly flags: readonly number[]
  readonly args: readonly Kind[]
  /** Whether completion of `--columns` offers every column that the command's records can have. */
  readonly hasFixedColumns?: true
  /** Whether the command's last argument may be repeated. */
  readonly repeats?: true
  /** Whether the command is an alias. Aliases are not offered, but their flags and arguments are completed. */
  readonly isAlias?: true
}

export type Named = readonly [name: string, about: string]

/**
 * All commands and flags. The build writes this table, so that the launcher can complete words without loading the
 * whole program.
 */
export interface Table {
  /** The codes and names of the standard booking statuses. */
  readonly statuses: readonly Named[]
  /** Descriptions of topics, keyed by the topic's words, such as `sandbox faults`. */
  readonly topics: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, TableCommand>>
  readonly flags: readonly TableFlag[]
  readonly guides: readonly Named[]
  readonly allGuides: readonly Named[]
}
