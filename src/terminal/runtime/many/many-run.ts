import type { FlagInput } from '@oclif/core/interfaces'
import type { CommonFlags } from '../../input/command-line.ts'
import type { Host } from '../host.ts'

/** A command as its class says it. */
export interface NamedCommand {
  /** Its words; undefined before it was found. */
  readonly id?: string
  readonly baseFlags: FlagInput
  readonly flags?: FlagInput
  /** Whether it takes its turns itself when it runs for many venues, as one does that never ends. */
  readonly takesTurns: boolean
}

/** A command line that is to run for many venues. */
export interface ManyRun {
  readonly Named: NamedCommand
  readonly argv: readonly string[]
  readonly host: Host
  readonly flags: CommonFlags
}
