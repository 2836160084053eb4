import type { Socket } from 'node:net'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { Need, Settings } from '../../../client/profiles/settings.ts'
import { openSession, type Session } from '../../../client/session.ts'
import type { Surroundings } from '../../../client/surroundings.ts'
import type { ChosenProxy } from '../../../http/proxy-choice.ts'
import type { Finding } from './finding.ts'

/** The options of a doctor run. */
export interface Examination {
  readonly around: Surroundings
  readonly profile?: string | undefined
  readonly baseUrl?: string | undefined
  readonly ledger?: string | undefined
  /** The time limit for each network step, in milliseconds. */
  readonly timeoutMs: number
  /** The local copies to check, in the form that the `--to` flag of a sync command accepts. */
  readonly syncTargets: readonly string[]
  readonly recorder?: HarFile | undefined
}

/** The results of earlier sections that later sections need. */
export interface DoctorState {
  /** The service's settings, or `null` if the service is unknown. */
  settings: Settings | null
  /** The proxy for connections to the service, or `null` if there is none. */
  proxy: ChosenProxy | null
  /** A connection to the service, direct or through the proxy, that has not been used yet. */
  socket: Socket | null
  session: Session | null
}

/** A group of related checks. */
export interface Section {
  /** The names of the section's rows, in order. */
  readonly rows: readonly string[]
  /** The rows of earlier sections that this section depends on. If one of them failed, this section is skipped. */
  readonly needs: readonly string[]
  /** The additional rows that this section depends on if the service is the sandbox inside this command. */
  readonly needsInside?: readonly string[]
  /** Yields the section's rows. The caller converts errors into rows. */
  examine(given: Examination, known: DoctorState): AsyncIterable<Finding> | Iterable<Finding>
}

/** Returns a partner command line that applies to this run's service. */
export function command(words: string, { profile, baseUrl }: Pick<Examination, 'profile' | 'baseUrl'>): string {
  const named = profile === undefined ? '' : ` --profile ${quoteShellWord(profile)}`
  return `partner ${words}${named}${baseUrl === undefined ? '' : ` --base-url ${quoteShellWord(baseUrl)}`}`
}

/** Returns a command that changes the profile in use, or `null` if no profile from the profile file is in use. */
export function setProfile(flags: string, { settings }: Pick<DoctorState, 'settings'>): string | null {
  const name = settings?.kind === 'service' ? settings.profile?.value : undefined
  return name === undefined ? null : `partner profiles set ${quoteShellWord(name)} ${flags}`
}

/** Returns whether the service is the sandbox inside this command, so that no network is involved. */
export function isInside({ settings }: Pick<DoctorState, 'settings'>): boolean {
  return settings?.kind === 'sandbox'
}

/** Returns a signal that aborts when the doctor is stopped, or when the time limit for a single step expires. */
export function stepSignal({ around, timeoutMs }: Examination): AbortSignal {
  return AbortSignal.any([around.signal, AbortSignal.timeout(timeoutMs)])
}

/** Opens a session without retries. Suppresses its warnings, because the doctor reports them as rows. */
export function openSilently(
  { around, profile, baseUrl, timeoutMs, recorder }: Examination,
  signedWith?: readonly Need[],
) {
  const quiet = {
    ...around,
    notify: (notice: Parameters<typeof around.notify>[0]) => {
      if (notice.kind !== 'warning' && notice.kind !== 'remark') around.notify(notice)
    },
  }
  return openSession(quiet, { profile, baseUrl, timeoutMs, retries: 0, har: recorder, signedWith })
}
