import type { Allowance, ToolAnnotations, ToolFile } from './tool.ts'

/** What a tool does. Determines its annotations. */
type Effect = 'reads' | 'reads-here' | 'creates' | 'changes' | 'settles'

/** How a command becomes a tool. */
export interface ToolRow {
  readonly allow: Allowance
  readonly effect: Effect
  /** A sentence that says what the tool returns. It is added to the tool's description, after the command's help. */
  readonly returns: string
  /** Replaces the command's help in the tool's description, for example if that help is about the command line. */
  readonly help?: string
  readonly title?: string
  readonly as?: 'prepare'
  readonly needs?: readonly ('copy' | 'journal')[]
  readonly files?: readonly ToolFile[]
  /** Flags that are omitted from this tool, in addition to those that are omitted from all tools. */
  readonly hide?: readonly string[]
  /** Flags that the tool requires although the command does not. */
  readonly required?: readonly string[]
  /** The values that a flag or argument accepts. */
  readonly values?: Readonly<Record<string, readonly string[]>>
  /** Descriptions of flags and arguments that replace the command's own descriptions. */
  readonly abouts?: Readonly<Record<string, string>>
  /** The flag whose value must be preserved exactly. */
  readonly exact?: string
  /** The argument that names a file of records. The tool sets it to `-` and passes the records as standard input. */
  readonly records?: string
}

/** The annotations of tools, keyed by the tool's effect. `reads-here` means that only local data is read. */
export const ANNOTATIONS: Readonly<Record<Effect, ToolAnnotations>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  'reads-here': { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  settles: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
}

export const reads = (returns: string, more: Partial<ToolRow> = {}): ToolRow => ({
  ...{ allow: 'reads', effect: 'reads', returns },
  ...more,
})
export const readsHere = (returns: string, more: Partial<ToolRow> = {}) =>
  reads(returns, { effect: 'reads-here', ...more })
export const creates = (returns: string, more: Partial<ToolRow> = {}): ToolRow => ({
  ...{ allow: 'bookings', effect: 'creates', returns },
  ...more,
})
export const changes = (returns: string, more: Partial<ToolRow> = {}) =>
  creates(returns, { effect: 'changes', ...more })
export const prepares = (help: string, more: Partial<ToolRow> = {}): ToolRow => ({
  ...{ allow: 'money', effect: 'creates', as: 'prepare', help },
  returns:
    'No money moves yet. Returns a handle, which expires after 15 minutes, and the details of the order. To carry out the order, pass the handle to money_commit.',
  ...more,
})
