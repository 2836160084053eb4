import type { Socket } from 'node:net'
import { shellWord } from '../../../base/failure/shell-word.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { Settings } from '../../../client/profiles/settings.ts'
import type { Session } from '../../../client/session.ts'
import type { Surroundings } from '../../../client/surroundings.ts'
import type { ChosenProxy } from '../../../http/proxy-choice.ts'
import type { Finding } from './finding.ts'

/** What the doctor is to look at, and how. */
export interface Examination {
  readonly around: Surroundings
  readonly profile?: string | undefined
  readonly baseUrl?: string | undefined
  /** The limit of each step that waits for somebody else. Milliseconds. */
  readonly timeoutMs: number
  /** The copies to look at, as `--to` of a sync names them. */
  readonly syncTargets: readonly string[]
  /** What takes the traffic. */
  readonly recorder?: HarFile | undefined
}

/** What sections found out that later ones need. */
export interface Known {
  /** Null: it is not known which service is meant. */
  settings: Settings | null
  /** The proxy that leads to the service; null: none does. */
  proxy: ChosenProxy | null
  /** A connection to the service, directly or through the proxy, over which nothing was said yet. */
  socket: Socket | null
  session: Session | null
}

/** A part of the examination: what it looks at, and what that needs. */
export interface Section {
  /** The names of its rows: all of them are skipped when what it needs has failed. */
  readonly rows: readonly string[]
  /** Rows of earlier sections without which it cannot look. */
  readonly needs: readonly string[]
  /** The same, for the sandbox alone, which runs inside this command. */
  readonly needsInside?: readonly string[]
  /** Gives rows as they come. Fails: as what it calls; the runner makes a row of that. */
  examine(given: Examination, known: Known): AsyncIterable<Finding> | Iterable<Finding>
}

/** A command of ours, for the service that this run is about. */
export function command(words: string, { profile, baseUrl }: Pick<Examination, 'profile' | 'baseUrl'>): string {
  const named = profile === undefined ? '' : ` --profile ${shellWord(profile)}`
  return `partner ${words}${named}${baseUrl === undefined ? '' : ` --base-url ${shellWord(baseUrl)}`}`
}

/** The command that changes the profile in use, with these flags; null: no profile of the file is used. */
export function setProfile(flags: string, { settings }: Pick<Known, 'settings'>): string | null {
  const name = settings?.kind === 'service' ? settings.profile?.value : undefined
  return name === undefined ? null : `partner profiles set ${shellWord(name)} ${flags}`
}

/** The command that asks for a secret without showing it, and looks again. */
export function askedFor(variable: string, given: Examination): string {
  return `read -rs ${variable} && export ${variable} && ${command('doctor', given)}`
}

/** Whether the service runs inside this command, so that there is no way to it. */
export function isInside({ settings }: Pick<Known, 'settings'>): boolean {
  return settings?.kind === 'sandbox'
}

/** Ends when the examination is to stop, or has waited long enough for one step. */
export function patience({ around, timeoutMs }: Examination): AbortSignal {
  return AbortSignal.any([around.signal, AbortSignal.timeout(timeoutMs)])
}
