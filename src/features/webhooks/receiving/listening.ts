import { dirname, join, resolve } from 'node:path'
import { Failure } from '../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { type JsonValue, parseExact } from '../../../base/json/exact.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import { makePrivateDirectory } from '../../../base/storage/directories.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { readSecret } from '../../../client/profiles/secret-reading.ts'
import { getBooking } from '../../../contract/bookings/booking.ts'
import { CREDENTIAL_HEADERS } from '../../../contract/events.ts'
import { getGiftCard } from '../../../contract/giftcards.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { acceptAll, type DeliveryHandler, forwardTo, runCommand } from '../../../webhooks/handling/delivery-handlers.ts'
import { openHandlerCommands } from '../../../webhooks/handling/handler-commands.ts'
import { type DeliveryStore, openJournalStore } from '../../../webhooks/listener/delivery-store.ts'
import {
  defaultJournal,
  readListenerNote,
  runningListeners,
  saveListenerNote,
} from '../../../webhooks/listener/listeners.ts'
import type { Mark } from '../../../webhooks/listener/mark.ts'
import type { Answered, RequiredHeader } from '../../../webhooks/listener/receiver.ts'
import { openTarget } from '../../../webhooks/listener/target.ts'
import { counted } from '../../shared/views/wording.ts'
import { surroundings } from './commands.ts'
import type { HeaderReference, ListenOptions } from './flags.ts'

/** Reads the values of the required headers. Throws NO_PROFILE if a value cannot be read. */
export async function readRequiredHeaders(
  references: readonly HeaderReference[],
  { env, signal, stderr }: Host,
  warn: (line: string) => void,
): Promise<RequiredHeader[]> {
  const headers: RequiredHeader[] = []
  for (const { name, source } of references) {
    const value = await readSecret(source, env, 'security key', { warn, signal })
    stderr.hide(value)
    headers.push({ name, value })
  }
  return headers
}

/**
 * Returns the journal to write to and the port to listen on. The default journal depends on the port. The default port
 * is the one that the journal's last listener used. Port 0 means any free port.
 */
export function chooseJournal({ journal, port }: Pick<ListenOptions, 'journal' | 'port'>, env: Host['env']) {
  const usual = defaultJournal(env)
  const usualPort = readListenerNote(env, usual)?.port ?? null
  const isOther = port !== null && port !== 0 && usualPort !== null && port !== usualPort
  const path = journal ?? (isOther ? join(dirname(usual), `deliveries-${port}.ndjson`) : usual)
  return { path, port: port ?? readListenerNote(env, path)?.port ?? 0 }
}

/** Saves a listener's address for the next run. If that fails, reports the failure and continues. */
export function saveListenerAddress(
  { path, keepMs }: { readonly path: string } & Pick<ListenOptions, 'keepMs'>,
  url: string,
  { env }: Host,
  report: (line: string) => void,
): void {
  const port = Number(new URL(url).port)
  try {
    saveListenerNote(env, { journal: resolve(path), port, url: localUrl(url), pid: process.pid, keepMs })
  } catch (error) {
    report(`cannot save the port for the next run: ${describeSystemError(error)}`)
  }
}

/** Replaces a wildcard address with the loopback address, which this machine can use to reach the listener. */
function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/**
 * Returns a command that sends a test delivery to a listener. Includes the listener's URL if several are running.
 * Returns `null` if the listener requires a header that the command cannot send.
 */
export function triggerCommand(required: readonly HeaderReference[], url: string, { env }: Host): string | null {
  const flags: string[] = runningListeners(env).length > 1 ? ['--to', localUrl(url)] : []
  for (const { name, source } of required) {
    const credential = CREDENTIAL_FLAG_OF[name.toLowerCase()]
    const reference = 'env' in source ? `env:${source.env}` : 'file' in source ? `file:${source.file}` : null
    if (credential === undefined || reference === null) return null
    flags.push(credential, reference)
  }
  return ['partner webhooks trigger BOOKING_UPDATED', ...flags.map(quoteShellWord)].join(' ')
}

const CREDENTIAL_FLAG_OF: Readonly<Record<string, string>> = {
  [CREDENTIAL_HEADERS.securityKey.toLowerCase()]: '--security-key',
  [CREDENTIAL_HEADERS.securityToken.toLowerCase()]: '--security-token',
}

/** Opens the journal or inbox that stores deliveries. Throws if it cannot be opened. */
export async function openDeliveryStore(
  {
    inbox,
    journal,
    duplicateWindowMs,
    keepMs,
  }: Pick<ListenOptions, 'inbox' | 'journal' | 'duplicateWindowMs' | 'keepMs'>,
  path: string,
  { host, warn }: Pick<RunParts, 'host' | 'warn'>,
): Promise<DeliveryStore> {
  const report = (line: string) => void warn(line)
  if (inbox === null) {
    if (journal === undefined) makePrivateDirectory(dirname(path))
    try {
      const keeping = keepMs === null ? null : { keepMs, now: host.now, report }
      return await openJournalStore(path, duplicateWindowMs, keeping, report)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'LOCKED' || journal !== undefined) throw error
      throw new Failure('LOCKED', error.words, {
        hint: `${error.hint}; --port N starts a second listener with its own journal`,
        details: error.details,
      })
    }
  }
  const { openInboxStore } = await import('../../../webhooks/inbox/inbox-store.ts')
  return openInboxStore(inbox, { duplicateWindowMs, signal: host.signal, report })
}

/**
 * Returns a function that handles deliveries and a function that waits until all work in progress has finished. Throws
 * USAGE if a proxy variable is invalid.
 */
export async function openDeliveryHandler(
  { target, exec, required }: Pick<ListenOptions, 'target' | 'exec' | 'required'>,
  mark: Mark,
  host: Host,
  report: (line: string) => void,
): Promise<{ readonly handle: DeliveryHandler; readonly finish: () => Promise<void> }> {
  if (target !== null) {
    const opened = await openTarget(target, host.env)
    return { handle: forwardTo(opened, mark, report), finish: opened.close }
  }
  if (exec === null) return { handle: acceptAll, finish: async () => undefined }
  const named = required.flatMap(({ source }) => ('env' in source ? [source.env] : []))
  const commands = openHandlerCommands(exec, await surroundings(host, named))
  const finish = async () => {
    if (commands.running > 0) report(`waiting for ${counted(commands.running, 'command', 'commands')} to end`)
    await commands.ended()
  }
  return { handle: runCommand(commands, report), finish }
}

/** Yields the records to print. With `isFetched`, each record also contains the current booking or card. */
export async function* receivedRecords(
  { service, warn }: Pick<RunParts, 'service' | 'warn'>,
  feed: AsyncIterable<readonly Answered[]>,
  isFetched: boolean,
): AsyncGenerator<readonly WireRecord[]> {
  for await (const batch of feed)
    for (const answered of batch) {
      const { timeMs, verdict, status, ms, read, body } = answered
      const time = new Date(timeMs).toISOString()
      const { event, subject, locationId } = read
      const delivery = parseExact(new TextDecoder().decode(body))
      const fetched = isFetched ? { fetched: await fetchSubject(service, read) } : {}
      if (isFetched && fetched.fetched === null && subject !== null)
        await warn(
          `could not read ${subject}; see partner ${read.kind === 'booking' ? 'bookings' : 'giftcards'} get ${subject}`,
        )
      yield [WireRecord.of({ time, verdict, status, ms, event, subject, locationId, delivery, ...fetched })]
    }
}

/**
 * Reads the booking or card that an event is about. Returns `null` if the event does not identify a record, or if the
 * record cannot be read.
 */
async function fetchSubject(service: RunParts['service'], { kind, subject }: Answered['read']): Promise<JsonValue> {
  if (kind === null || subject === null) return null
  const answer =
    kind === 'booking'
      ? await service.readBack(getBooking, { path: { id: subject } })
      : await service.readBack(getGiftCard, { path: { cardNumber: subject } })
  return answer?.value ?? null
}
