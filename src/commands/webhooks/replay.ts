import { Failure } from '../../base/failure/failure.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { replayedList } from '../../features/webhooks/deliveries/lists.ts'
import {
  KEEP_HEADER_FLAG,
  readDuration,
  readInboxPlace,
  readKeptHeaders,
} from '../../features/webhooks/receiving/flags.ts'
import { CREDENTIAL_FLAGS, readEventName } from '../../features/webhooks/sending/input.ts'
import { chooseTarget, journalOrDefault } from '../../features/webhooks/sending/target.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { flag, OUTPUT_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { readSinceUntil } from '../../terminal/input/values/since-until.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { readJournal, type StoredDelivery } from '../../webhooks/events/journal/read-journal.ts'
import { readEvent } from '../../webhooks/events/read-event.ts'
import { type InboxPlace, isDatabase } from '../../webhooks/inbox/open-inbox.ts'
import { matchesFilter, openReplayer } from '../../webhooks/listener/replay.ts'
import { isAccepted, openTarget, type Sent } from '../../webhooks/listener/target.ts'

/** The default time limit for a response, in milliseconds. The service has the same limit. */
const DEFAULT_LIMIT_MS = 5000
const LIMIT = { minMs: 1, maxMs: 600_000 } as const

/** A shell command that creates a journal with one delivery, for the example. */
const JOURNAL = `echo '{"time":"2026-11-20T08:00:00.000Z","headers":{},"bodyBase64":"eyJldmVudFR5cGUiOiJCT09LSU5HX1VQREFURUQiLCJkYXRhIjp7ImJvb2tpbmdJZCI6IkJLLTEwMDEifX0=","verdict":"new"}' > hooks.ndjson`

export default class WebhooksReplay extends PartnerCommand {
  static override summary = 'Resend the deliveries in a journal or an inbox, byte for byte and in order.'
  static override description =
    'The deliveries come from a journal file or an inbox (a database URL) written by webhooks listen. If a delivery is repeated within the duplicate window, an inbox stores it only once. Deliveries are sent one after the other, with their original headers. Headers that may contain credentials are omitted unless --keep-header names them; pass credentials with --security-key and --security-token if the receiver requires them. The exit code is 11 if any delivery is not accepted, and 8 if the receiver cannot be reached.'
  static override examples = [
    `${JOURNAL} && <%= config.bin %> <%= command.id %> hooks.ndjson --to http://127.0.0.1:8080/hooks --only BK-1001 --speed 2x --dry-run`,
    '<%= config.bin %> <%= command.id %> postgres://hooks@db.example/venue --to http://127.0.0.1:8080/hooks --since -1h',
  ]
  static override args = {
    journal: optionalArgument(
      'file written by webhooks listen, or postgres://USER@HOST/DATABASE (default: the journal of the running listener)',
    ),
  }
  static override baseFlags = OUTPUT_FLAGS
  static override flags = {
    to: flag('URL', 'The receiver, an http or https URL (default: the running listener).'),
    event: repeated({ helpValue: 'EVENT', summary: 'Send only deliveries of this event. May be repeated.' }),
    only: repeated({
      helpValue: 'ID',
      summary: 'Send only deliveries about this booking or gift card. May be repeated.',
    }),
    since: flag('TIME', 'Send only deliveries received at TIME or later.'),
    until: flag('TIME', 'Send only deliveries received at TIME or earlier.'),
    speed: flag('SPEED', 'Replay speed: 1x keeps the original pauses, 2x halves them, max omits them (default: max).'),
    timeout: flag('DUR', 'How long to wait for each response (default: 5s).'),
    'dry-run': toggle('Print the deliveries that would be sent, and send nothing.'),
    'keep-header': KEEP_HEADER_FLAG,
    ...CREDENTIAL_FLAGS,
  }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksReplay)
    const { args, flags, host, show, connection, say } = opened
    const problems = new Problems()
    const clock = { now: host.now(), timezone: await connection.zoneOf(null) }
    const events = (flags.event ?? []).map((event) => readEventName(event, problems))
    const subjects = (flags.only ?? []).map((id) => id.trim().toUpperCase())
    const times = readSinceUntil({ since: flags.since, until: flags.until }, clock, problems)
    const choice = { events, subjects, ...times }
    const speed = readSpeed(flags.speed, problems)
    const limitMs = readDuration('--timeout', flags.timeout, LIMIT, problems) ?? DEFAULT_LIMIT_MS
    const journal = journalOrDefault(args.journal, 'JOURNAL', host, problems)
    const inbox = isDatabase(journal ?? '') ? readInboxPlace(journal ?? '', 'JOURNAL', host.env, problems) : null
    const keptHeaders = readKeptHeaders(flags['keep-header'] ?? [], [], problems)
    const { url, headers } = await chooseTarget(flags, opened, problems, journal)
    const deliveries = inbox ? journalOf(inbox, host.signal) : readJournal(problems.valueOrThrow(journal))
    if (args.journal === undefined || flags.to === undefined) await say(`${journal} to ${url.href}`)
    const target = await openTarget(url, host.env)
    let failed = 0
    let sent = 0
    const trouble: Failure[] = []
    try {
      const replayer = openReplayer(target, { speed, limitMs, headers, keptHeaders, signal: host.signal })
      const records = async function* () {
        for await (const batch of deliveries)
          for (const delivery of batch) {
            if (!matchesFilter(delivery, choice)) continue
            if (replayer.hasSent(delivery)) {
              trouble.push(leadsBack(delivery, sent))
              return
            }
            if (flags['dry-run']) {
              yield [recordOf(delivery, null)]
              continue
            }
            const replayed = await replayer.send(delivery)
            sent++
            if (!isAccepted(replayed.status)) failed++
            yield [recordOf(delivery, replayed)]
            if (replayed.status !== null || replayed.maybeSent) continue
            trouble.push(unreachable(target.url, replayed, sent - 1))
            return
          }
      }
      await show.list(records(), replayedList)
    } finally {
      await target.close()
    }
    const [cause] = trouble
    if (cause) throw cause
    if (flags['dry-run']) await say('nothing was sent')
    if (failed === 0) return
    throw new Failure('PARTIAL_FAILURE', `${failed} of ${counted(sent, 'delivery', 'deliveries')} were not accepted`, {
      hint: 'the receiver must respond with 2xx: check its log, fix it, and send the deliveries again',
      details: { failed, of: sent },
    })
  }
}

async function* journalOf(inbox: InboxPlace, signal: AbortSignal): AsyncGenerator<readonly StoredDelivery[]> {
  const { readInbox } = await import('../../webhooks/inbox/read-inbox.ts')
  for await (const batch of readInbox(inbox, signal))
    yield batch.map((delivery) => ({ ...delivery, line: Number(delivery.id) }))
}

/** Parses the value of `--speed` as a factor. Returns `null` if there should be no pauses. */
function readSpeed(text: string | undefined, problems: Problems): number | null {
  if (text === undefined || text === 'max') return null
  const speed = /^(\d{1,6}(?:\.\d{1,3})?)x$/.exec(text)?.[1]
  if (Number(speed) > 0) return Number(speed)
  problems.add(`--speed must be max or a factor such as 1x, 2x or 0.5x, not ${JSON.stringify(text)}`)
  return null
}

function recordOf({ line, timeMs, body }: StoredDelivery, sent: Sent | null): WireRecord {
  const { event = null, subject = null } = readEvent(body) ?? {}
  const { status = null, error = null, ms = null } = sent ?? {}
  return WireRecord.of({ line, time: new Date(timeMs).toISOString(), event, subject, status, error, ms })
}

function leadsBack({ line }: StoredDelivery, before: number): Failure {
  const words = `line ${line} is a delivery that this replay sent: the receiver at --to writes to the same journal`
  const hint = `to skip deliveries that are added during the replay, pass the journal as a file; deliveries already sent: ${before}`
  return new Failure('REJECTED', words, { hint })
}

function unreachable(url: URL, { error }: Sent, before: number): Failure {
  return new Failure('NETWORK_ERROR', `${url.origin} cannot be reached: ${error}`, {
    hint: `start the receiver and run the command again; deliveries already sent: ${before} (to skip them, use --since)`,
  })
}
