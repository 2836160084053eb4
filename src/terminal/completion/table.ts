/**
 * What a word of the command line is completed with: the name of a {@link Values}, `=` and the words themselves with `|` between
 * them, `,` and the words of a list with commas, again with `|` between them, or '' if nothing is known of it.
 */
export type Kind = string

/** The kinds of values that are found out when somebody asks. */
export const VALUES = [
  'cards',
  'data',
  'days',
  'durations',
  'files',
  'many-profiles',
  'moments',
  'own-profiles',
  'profiles',
  'references',
  'statuses',
  'tags',
  'times',
  'zones',
] as const
export type Values = (typeof VALUES)[number]

/** A flag, as completion needs it. */
export interface TableFlag {
  readonly name: string
  readonly char?: string
  readonly about: string
  /** What its value is completed with; absent: it takes none. */
  readonly value?: Kind
  /** It may stand without its value. */
  readonly isBare?: true
  readonly repeats?: true
  /** It may stand before the words of a command. */
  readonly isGlobal?: true
}

/** A command, as completion needs it. */
export interface TableCommand {
  readonly about: string
  /** Its flags, by their places in {@link Table.flags}. */
  readonly flags: readonly number[]
  readonly args: readonly Kind[]
  /** Its records have the columns that `--columns` is completed with, and no others. */
  readonly hasFixedColumns?: true
  /** Its last argument may be repeated. */
  readonly repeats?: true
  /** It is another name of a command, and is completed only once it is typed. */
  readonly isAlias?: true
}

/** A name, and what it means in a few words. */
export type Named = readonly [name: string, about: string]

/** All of the command line, made by the build, so that the launcher answers a Tab without loading the tool. */
export interface Table {
  /** The standard statuses of bookings: their codes and names. */
  readonly statuses: readonly Named[]
  /** Topics by their words: `sandbox faults`. */
  readonly topics: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, TableCommand>>
  readonly flags: readonly TableFlag[]
  /** What `help` takes beside topics and commands. */
  readonly guides: readonly Named[]
  /** What `help guide` takes. */
  readonly allGuides: readonly Named[]
}
