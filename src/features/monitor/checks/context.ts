import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import type { Finding } from '../../../monitor/state/machine.ts'
import type { Host } from '../../../terminal/runtime/host.ts'

/** The venue that is checked. */
export interface WatchedVenue {
  /** The profile, or `null` if no profile is used. */
  readonly profile: string | null
  /** The flags that select the venue in other commands. */
  readonly flags: { readonly profile?: string; readonly 'base-url'?: string }
}

/** The context for evaluating a check. */
export interface CheckContext {
  readonly host: Host
  readonly venue: WatchedVenue
  /** The working directory for commands. */
  readonly directory: string
  /** The environment variables for commands. They contain no secrets. */
  readonly commandEnv: NodeJS.ProcessEnv
  /** The signal that aborts with `Interrupted` when the evaluation must end. */
  readonly signal: AbortSignal
}

export function ok(message: string): Finding {
  return { verdict: 'ok', message, next: null }
}

export function wrong(message: string, next: string | null): Finding {
  return { verdict: 'wrong', message, next }
}

/** Returns the finding for a check that could not be evaluated. */
export function unknown(reason: string, next: string | null): Finding {
  return { verdict: 'unknown', message: `cannot be checked: ${reason}`, next }
}

/** Replaces `{profile}` with the profile's name. */
export function forVenue(text: string, { profile }: WatchedVenue): string {
  return profile === null ? text : text.replaceAll('{profile}', profile)
}

/** Returns a partner command line for a venue. The words are quoted for the shell. */
export function commandLine(words: readonly string[], { flags, profile }: WatchedVenue): string {
  const address = flags['base-url'] === undefined ? [] : ['--base-url', flags['base-url']]
  const named = profile === null || address.length > 0 ? [] : ['--profile', profile]
  return ['partner', ...words, ...named, ...address].map(quoteShellWord).join(' ')
}

/** Removes the password from a database URL. */
export function withoutPassword(name: string): string {
  return name.replace(/^(postgres(?:ql)?:\/\/[^:/?#@]*):[^@]*@/, '$1@')
}
