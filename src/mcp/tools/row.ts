import type { Allowance, ToolAnnotations, ToolFile } from './tool.ts'

/** What a tool does, from which its annotations follow. */
type Effect = 'reads' | 'reads-here' | 'creates' | 'changes' | 'settles'

/** A command that is a tool. */
export interface ToolRow {
  readonly allow: Allowance
  readonly effect: Effect
  /** Says what the tool returns. It follows the help of the command in the tool's description. */
  readonly returns: string
  /** Replaces the help of the command in the description, where that help speaks of a command line. */
  readonly help?: string
  readonly title?: string
  readonly as?: 'prepare'
  readonly needs?: readonly ('copy' | 'journal')[]
  readonly files?: readonly ToolFile[]
  /** Flags that are not members, in addition to those that are never members. */
  readonly hide?: readonly string[]
  /** Flags without which a tool cannot work, although the command does not require them. */
  readonly required?: readonly string[]
  /** The only values of a flag or argument. */
  readonly values?: Readonly<Record<string, readonly string[]>>
  /** Descriptions of flags and arguments that replace those of the command. */
  readonly abouts?: Readonly<Record<string, string>>
  /** The flag whose value is text of which every character counts. */
  readonly exact?: string
  /** The argument that receives `-`, while the records are its standard input. */
  readonly records?: string
}

/** The annotations of a tool with each effect. `reads-here` means that only data of this machine is read. */
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
    'Nothing happens yet. Returns a handle, which expires after 15 minutes, and the facts of the order. money_commit with the handle carries the order out, once.',
  ...more,
})
