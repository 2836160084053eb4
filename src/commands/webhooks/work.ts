import { Failure } from '../../base/failure/failure.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { workedList } from '../../features/webhooks/deliveries/lists.ts'
import {
  describeProblem,
  openHandle,
  readWorkFlags,
  WORK_FLAGS,
  workedLine,
} from '../../features/webhooks/receiving/working.ts'
import { readCredentialHeaders } from '../../features/webhooks/sending/input.ts'
import { OUTPUT_FLAGS, PING_FLAG } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { stopGracefully } from '../../terminal/output/bulk/graceful-stop.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { HandledEvent } from '../../webhooks/inbox/worker.ts'
import { Feed } from '../../webhooks/listener/feed.ts'
import { Mark } from '../../webhooks/listener/mark.ts'

export default class WebhooksWork extends PartnerCommand {
  static override summary = 'Take events from an inbox in PostgreSQL and handle each one, with retries.'
  static override description =
    `The inbox is a table that webhooks listen --to fills. Any number of workers may share it: an event is leased while it is handled, and the lease is renewed. The oldest events are handled first, and never two about the same booking or card at once. If a worker dies or loses the database, its commands are stopped, and another worker takes over its events when their leases expire.

An event is done when CMD ends with exit code 0, or URL responds with 2xx. Otherwise it is retried after 10 s, 1 m, 5 m, 30 m and 2 h, and is then dead: see webhooks inbox. If an update is delivered again while or after it is handled, it is handled again, because it may be a different change.

CMD gets the body on standard input and PARTNER_WEBHOOK_EVENT, _SUBJECT, _VERDICT, _TIME, _ID, _ATTEMPT and _TIMES in its environment, but none of partner's secrets. URL gets the original headers of the event that do not contain credentials, and those that --keep-header names; pass credentials with --security-key and --security-token.

Ctrl-C or SIGTERM ends the worker with exit code 0, once it has finished the events that it leased. With --count or --until-empty, the exit code is 11 if an event failed.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from postgres://hooks@db.example/venue --exec ./handle.sh --concurrency 4',
    '<%= config.bin %> <%= command.id %> --from postgres://hooks@db.example/venue --forward-to http://127.0.0.1:8080/hooks --until-empty',
  ]
  static override baseFlags = OUTPUT_FLAGS
  static override flags = { ...WORK_FLAGS, ...PING_FLAG }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksWork)
    const { flags, host, show, say, warn } = opened
    const problems = new Problems()
    const options = readWorkFlags(flags, host, problems)
    const { count, untilEmpty, keepMs, leaseMs, concurrency } = options
    if (show.isQueried && count === null && !untilEmpty)
      problems.add('--query needs --count N or --until-empty, because the query applies to the whole list')
    const place = problems.valueOrThrow(options.place)
    const mark = new Mark()
    const headers = await readCredentialHeaders(flags, opened)
    const report = (line: string) => void warn(line)
    const { handle, close } = await openHandle(options, { headers, mark }, host)
    const stop = stopGracefully(host)
    host.stderr.dropIfStalled()
    const feed = new Feed<HandledEvent>()
    let done = 0
    let failed = 0
    const { work } = await import('../../webhooks/inbox/worker.ts')
    const begun = Promise.withResolvers<void>()
    const working = work(place, {
      ...{ leaseMs, concurrency, most: count, untilEmpty, keepMs, handle, report, mark },
      onStarted: begun.resolve,
      stop: stop.signal,
      onHandled: (handled) => {
        if (handled.outcome === 'done' || handled.outcome === 'again') done++
        else failed++
        const line = describeProblem(handled)
        if (line !== null) report(line)
        feed.push(handled)
      },
    }).finally(() => feed.end())
    working.catch(() => undefined)
    try {
      await Promise.race([begun.promise, working])
      await say(`taking events from ${place.words}${untilEmpty ? '' : '; Ctrl-C to stop'}`)
      await show.streamPrinter().list(records(feed), workedList)
    } finally {
      stop.abort()
      await working.finally(close)
    }
    if (feed.droppedCount > 0)
      await warn(
        `${counted(feed.droppedCount, 'event was', 'events were')} not printed, because the reader was slow; see webhooks inbox`,
      )
    if (failed === 0 || (count === null && !untilEmpty)) return
    throw new Failure('PARTIAL_FAILURE', `${failed} of ${counted(done + failed, 'event', 'events')} failed`, {
      hint: 'failed events that are not dead are retried when they are due; to list them: partner webhooks inbox',
      details: { failed, of: done + failed },
    })
  }
}

async function* records(feed: AsyncIterable<readonly HandledEvent[]>): AsyncGenerator<readonly WireRecord[]> {
  for await (const batch of feed) yield batch.map((handled) => new WireRecord(workedLine(handled)))
}
