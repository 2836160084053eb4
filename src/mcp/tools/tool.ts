import type { GivenValues } from '../../terminal/runtime/host.ts'

/** What the user allows an agent to do. `bookings` includes `reads`, and `money` includes both. */
export type Allowance = 'reads' | 'bookings' | 'money'

/** How a member of a tool's arguments becomes part of a command line. */
export interface ToolMember {
  /** Whether the value becomes a flag, an argument, or standard input (records as NDJSON). */
  readonly to: 'flag' | 'argument' | 'stdin'
  /** The name of the flag or argument, such as `updated-from`. */
  readonly name: string
  readonly type: 'text' | 'integer' | 'switch' | 'texts' | 'records'
  readonly required: boolean
  readonly about: string
  /** The only values that the command accepts, or `null`. */
  readonly values: readonly string[] | null
  /** Whether the value is used exactly as given. Only then can it contain line breaks and other control characters. */
  readonly isExact: boolean
}

/** A flag whose value is the copy or the journal given to `partner mcp`. */
export interface ToolFile {
  readonly flag: string
  readonly from: 'copy' | 'journal'
  /** Whether the flag accepts several files. */
  readonly repeats: boolean
}

/** Hints to clients about what a tool does. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** A tool. The build derives most tools from commands and writes all of them to dist/tools.json. */
export interface Tool {
  /** The name, such as `bookings_list`. */
  readonly name: string
  /** The command that does the work, such as `bookings list`; `null` for `money_commit` and `money_status`. */
  readonly command: string | null
  /** `run` if the tool runs the command, `prepare` if it only prepares an order. */
  readonly as: 'run' | 'prepare'
  readonly allow: Allowance
  /** The options of `partner mcp` that are required for this tool. */
  readonly needs: readonly ('copy' | 'journal')[]
  /** The flags whose values are the copy or the journal given to `partner mcp`. */
  readonly files: readonly ToolFile[]
  readonly title: string
  readonly description: string
  /** What the tool returns: a list of records or one object. */
  readonly form: 'list' | 'one'
  /** The members of the arguments, keyed by name. Lists also have `limit`, which is not a flag. */
  readonly members: Readonly<Record<string, ToolMember>>
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  readonly outputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  readonly annotations: ToolAnnotations
}

/** The values of a command's flags and arguments, as if they had been parsed from a command line. */
export interface Given extends GivenValues {
  /** The content of the command's standard input, or `null`. */
  readonly stdin: string | null
}

/** The result of a call, independent of the protocol. */
export interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>
  /** A short text for a person. Text from the service is marked. */
  readonly text: string
  readonly isError: boolean
  /** Whether the result contains text that the service sent. */
  readonly isUntrusted: boolean
}

/** The default of `limit`. */
export const USUAL_LIMIT = 50
export const MAX_LIMIT = 500
