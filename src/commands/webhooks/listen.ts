import { once } from 'node:events'
import { stripFullStop } from '../../base/failure/failure.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { receivedList } from '../../features/webhooks/deliveries/lists.ts'
import { LISTEN_FLAGS, readListenFlags } from '../../features/webhooks/receiving/flags.ts'
import {
  chooseJournal,
  openDeliveryHandler,
  openDeliveryStore,
  readRequiredHeaders,
  receivedRecords,
  saveListenerAddress,
  triggerCommand,
} from '../../features/webhooks/receiving/listening.ts'
import { isLoopback } from '../../http/loopback.ts'
import { LOOK_FLAGS, PING_FLAG, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { stopGracefully } from '../../terminal/output/bulk/graceful-stop.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { Feed } from '../../webhooks/listener/feed.ts'
import { startListener, watchSilence } from '../../webhooks/listener/listener.ts'
import { Mark } from '../../webhooks/listener/mark.ts'
import type { Answered } from '../../webhooks/listener/receiver.ts'

export default class WebhooksListen extends PartnerCommand {
  static override summary = 'Receive deliveries, store them in a journal or a database, and show them as they arrive.'
  static override description =
    `Each delivery is stored on disk, byte for byte, before it is answered. Header values are stored only if the header does not contain a credential (content type, user agent, date, event IDs and the like), or if --keep-header names it. A delivery is a duplicate if the same event about the same booking or card was delivered within --duplicate-window, and stale if it reports a creation after another event. The service sends a delivery again unless it gets a 2xx response within 5 s.

With --forward-to, a receiver that cannot be reached is tried again as long as the service waits, and the receiver's response is returned to the service. With --exec, the command gets the body on standard input and PARTNER_WEBHOOK_EVENT, _SUBJECT, _VERDICT and _TIME in its environment, but none of partner's secrets. If the command fails, the response is 500; if it takes long, it continues after the response.

With --to, deliveries are stored in the inbox table of a PostgreSQL database, from which partner webhooks work takes them. Several listeners may share it. A duplicate within --duplicate-window is counted on the row of the first delivery. While the database cannot be reached, the response is 503. The password comes from PGPASSWORD or a password file.

Ctrl-C or SIGTERM ends the listener with exit code 0, once all accepted deliveries are finished.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --journal hooks.ndjson --quiet-after 30m --fetch',
    '<%= config.bin %> <%= command.id %> --forward-to http://127.0.0.1:8080/hooks -o ndjson',
    '<%= config.bin %> <%= command.id %> --exec "cat >> events.txt"',
    '<%= config.bin %> <%= command.id %> --to postgres://hooks@db.example/venue --port 4020',
  ]
  static override baseFlags = LOOK_FLAGS
  static override flags = {
    ...LISTEN_FLAGS,
    ...PING_FLAG,
    fetch: toggle('Read each booking or card from the service and show it with its event.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksListen)
    const { flags, host, show, say, warn, connection } = opened
    const problems = new Problems()
    const options = readListenFlags(flags, host.env, problems)
    const { count, quietMs, maxBodyBytes, allowedOrigins, keptHeaders } = options
    if (show.isQueried && count === null)
      problems.add('--query needs --count N, because the query applies to the whole list')
    problems.throwIfAny('see partner webhooks listen --help')
    const report = (line: string) => void warn(line)
    const required = await readRequiredHeaders(options.required, host, report)
    if (flags.fetch) await connection.session()
    const journal = chooseJournal(options, host.env)
    const mark = new Mark()
    const { handle, finish } = await openDeliveryHandler(options, mark, host, report)
    const stop = stopGracefully(host)
    host.stderr.dropIfStalled()
    const quiet = watchSilence(quietMs, (ms) => {
      void say(
        `nothing has been delivered for ${formatDuration(ms)}; check that the URL in partner webhooks list leads to this listener`,
      )
    })
    const feed = new Feed<Answered>()
    let received = 0
    try {
      const store = await openDeliveryStore(options, journal.path, opened)
      const listener = await startListener({
        port: options.inbox === null ? journal.port : (options.port ?? 0),
        ...{ host: flags.host ?? '127.0.0.1', path: flags.path ?? null, store, maxDeliveries: count, now: host.now },
        ...{ required, allowedOrigins, keptHeaders, maxBodyBytes, handle, mark, report },
        onAnswered: (answered) => {
          quiet.hear()
          feed.push(answered)
          if (++received === count) stop.abort()
        },
        onRefused: (status, why) => report(`refused with ${status}: ${stripFullStop(why)}`),
      })
      const stopped = stop.signal.aborted ? Promise.resolve() : once(stop.signal, 'abort')
      const closed = stopped.then(() => listener.close()).finally(() => feed.end())
      closed.catch(() => undefined)
      try {
        if (flags.host !== undefined && !isLoopback(flags.host) && required.length === 0)
          await warn(
            `anyone who can reach ${flags.host} can send deliveries to this listener; use --require-header to require a key`,
          )
        const url = `${listener.origin}${flags.path ?? ''}`
        if (options.inbox === null) saveListenerAddress({ ...options, ...journal }, url, host, report)
        await say(`listening on ${url}; ${store.words}; Ctrl-C to stop`)
        const next = options.inbox === null ? triggerCommand(options.required, url, host) : null
        if (next !== null) await say(`next: ${next}`)
        await show.streamPrinter().list(receivedRecords(opened, feed, flags.fetch), receivedList)
      } finally {
        stop.abort()
        await closed
      }
    } finally {
      quiet.end()
      await finish()
    }
    if (feed.droppedCount > 0)
      await warn(
        `${counted(feed.droppedCount, 'delivery was', 'deliveries were')} not printed, because the reader was slow; see ${options.inbox?.words ?? journal.path}`,
      )
  }
}
