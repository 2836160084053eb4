import { comparablePath } from '../../../base/windows-names.ts'
import type { Problems } from '../../../terminal/input/problems.ts'
import { parseTargetUrl } from '../../../terminal/input/values/receiver-url.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { journalExists } from '../../../webhooks/events/journal/closed-days.ts'
import { defaultJournal, type ListenerNote, runningListeners } from '../../../webhooks/listener/listeners.ts'
import { type CredentialInput, checkCredentials, readCredentialHeaders } from './input.ts'

interface TargetFlags extends Pick<CredentialInput, 'security-key' | 'security-token'> {
  readonly to?: string | undefined
}

export type ChosenTarget = Awaited<ReturnType<typeof chooseTarget>>

/**
 * Returns the receiver's URL and credentials. Without `--to`, uses the running listener or, if several are running, the
 * one that writes to `journal`. Throws USAGE before it reads any secret, for example if credentials would be sent over
 * plain http to another machine. Throws NO_PROFILE if a credential cannot be read or sent.
 */
export async function chooseTarget(
  { to, ...flags }: TargetFlags,
  run: Pick<RunParts, 'host' | 'warn'>,
  problems: Problems,
  journal?: string,
) {
  checkCredentials(flags, run.host.canAsk, problems)
  const carriesCredentials = flags['security-key'] !== undefined || flags['security-token'] !== undefined
  const receiver = receiverOrDefault(to, run.host, problems, journal)
  const url = problems.valueOrThrow(
    receiver === undefined ? undefined : parseTargetUrl(receiver, '--to', carriesCredentials, problems),
  )
  return { url, headers: await readCredentialHeaders(flags, run) }
}

/**
 * Returns the receiver named by a flag, or else the only running listener. If several are running, returns the one that
 * writes to `journal`. If no listener qualifies, adds a problem and returns `undefined`.
 */
function receiverOrDefault(
  to: string | undefined,
  { env }: Host,
  problems: Problems,
  journal?: string,
): string | undefined {
  if (to !== undefined) return to
  const running = runningListeners(env)
  const [one, other] = forJournal(running, journal)
  if (one !== undefined && other === undefined) return one.url
  addMissing('--to URL', running, problems)
  return undefined
}

/**
 * Returns the journal named by a flag, or else the journal of the only running listener. If no listener is running,
 * returns the default journal if it exists. Otherwise, adds a problem and returns `undefined`.
 */
export function journalOrDefault(journal: string | undefined, name: string, { env }: Host, problems: Problems) {
  if (journal !== undefined) return journal
  const running = runningListeners(env)
  const [one, other] = running
  if (one !== undefined && other === undefined) return one.journal
  const usual = defaultJournal(env)
  if (one === undefined && journalExists(usual)) return usual
  addMissing(name, running, problems)
  return undefined
}

function forJournal(running: readonly ListenerNote[], journal: string | undefined): readonly ListenerNote[] {
  const own =
    journal === undefined ? [] : running.filter((one) => comparablePath(one.journal) === comparablePath(journal))
  return own.length > 0 ? own : running
}

function addMissing(name: string, running: readonly ListenerNote[], problems: Problems): void {
  if (running.length === 0)
    problems.add(`${name} is required because no listener is running`, 'start a listener: partner webhooks listen')
  else
    problems.add(
      `${name} is required because ${running.length} listeners are running`,
      `choose one: ${running.map(({ url, journal }) => `${url} (${journal})`).join(', ')}`,
    )
}
