import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { HOUR, MINUTE } from './clock.ts'
import { broken, type Fault, over } from './fault.ts'
import { waitFor } from './process.ts'

const RESOURCES = 'GET /Resources/booking-statuses'
const PAX = 'PATCH /Bookings/{bookingId}/updatepax'

/** What goes wrong between the service and this venue. */
export const SERVICE_FAULTS: readonly Fault[] = [
  {
    name: 'the service answers 503',
    check: 'service',
    inject: ({ world }) => broken(world, '*', '--status', '503'),
  },
  {
    name: 'the service is gone',
    check: 'service',
    async inject({ world }) {
      const sandbox = world.named('sandbox')
      await sandbox.stop('SIGKILL')
      return async () => sandbox.start()
    },
  },
  {
    name: 'the service is slow',
    check: 'service',
    inject: ({ world }) => broken(world, RESOURCES, '--latency', '40s'),
  },
  {
    name: 'the key is wrong for an hour',
    check: 'service',
    async inject({ world, watch }) {
      const since = world.receivers.alerts.length
      // Only the doctor's request fails: otherwise, copies would rightly be told to be an hour behind.
      const clear = await broken(world, RESOURCES, '--status', '401')
      await watch.untilTold(since, 'service', false)
      await watch.step(HOUR, 'service')
      return clear
    },
  },
  {
    name: 'the clock of the service is slow',
    check: 'clock',
    mayStep: true,
    inject: ({ world }) => broken(world, '*', '--skew', '-8m'),
  },
  {
    name: 'an event is lost',
    check: 'gaps',
    mayStep: true,
    async inject({ world, watch, activity }) {
      const resume = await watch.quiet()
      await world.addFault(PAX, '--lost-webhook', '--next', '1')
      await activity.changePax(activity.takeReserved())
      await world.faults('clear')
      resume()
      // The last 15 minutes are not compared.
      await watch.step(20 * MINUTE, 'gaps')
      const gaps = ['webhooks', 'gaps', '--journal', world.path('hooks.ndjson'), '--copy', world.path('venue.db')]
      const repair = ['--source', 'soak', '--since', '-5h', '--repair', '--to', world.hookUrl]
      return () => world.partner([...gaps, ...repair], [0, 11])
    },
  },
  {
    name: 'events are doubled',
    check: null,
    async inject({ world, watch, activity }) {
      const resume = await watch.quiet()
      await world.addFault(PAX, '--duplicate-webhook', '3', '--next', '3')
      for (let n = 0; n < 3; n++) await activity.changePax('BK-1003')
      await world.faults('clear')
      resume()
      await watch.step(20 * MINUTE)
      return over
    },
  },
  {
    name: 'a handler fails until its event is dead',
    check: 'inbox',
    async inject({ world, watch, activity }) {
      const id = activity.takeReserved()
      writeFileSync(world.path('poison'), `${id}\n`)
      await activity.changePax(id)
      const attempts = async () => {
        const [row] = await world.query(`SELECT attempts, state FROM inbox WHERE subject = '${id}'`)
        return row?.['state'] === 'leased' ? 0 : Number(row?.['attempts'] ?? 0)
      }
      for (const [index, seconds] of [11, 61, 301, 1801, 7201].entries()) {
        await waitFor(`attempt ${index + 1} fails`, async () => (await attempts()) > index, attempts)
        await watch.step(seconds * 1000, 'inbox')
      }
      return async () => {
        writeFileSync(world.path('poison'), '')
        await world.partner(['webhooks', 'inbox', '--from', world.inboxUrl, '--retry-dead'])
      }
    },
  },
  {
    name: 'a sale is missing in the books',
    check: 'books',
    mayStep: true,
    async inject({ world, closings }) {
      const [withheld, ...sent] = closings.lines
      const part = world.path('part.ndjson')
      writeFileSync(part, `${sent.join('\n')}\n`)
      await world.partner(['sales', 'import', part, '--quiet', '--journal', `${closings.file}.journal`])
      if (withheld === undefined) throw new Error('the day has no sales')
      writeFileSync(world.path('books.new'), `${closings.lines.join('\n')}\n`)
      renameSync(world.path('books.new'), world.path('books.ndjson'))
      return async () => {
        const missing = world.path('missing.ndjson')
        rmSync(missing, { force: true })
        await world.partner(['sales', 'reconcile', closings.file, '--fix', missing], [11])
        await world.partner(['sales', 'import', missing, '--quiet', '--journal', `${closings.file}.journal`])
      }
    },
  },
  {
    name: 'the outcome of a redemption is unknown',
    check: 'operations',
    async inject({ world, watch }) {
      const resume = await watch.quiet()
      await world.addFault('POST /GiftCards/redeem', '--close', '--phase', 'after', '--next', '1')
      await world.addFault('GET /GiftCards/{cardNumber}', '--nth', '2', '--status', '503')
      await world.addFault('GET /GiftCards/{cardNumber}', '--nth', '3', '--status', '503')
      await world.addFault('GET /GiftCards/{cardNumber}', '--nth', '4', '--status', '503')
      const redeem = ['giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '1', '--once', 'soak', '--retries', '0']
      await world.partner(redeem, [9])
      await world.faults('clear')
      resume()
      await watch.step(20 * MINUTE, 'operations')
      return async () => {
        const { stdout } = await world.partner(['operations', 'list', '--state', 'open', '--json'])
        const [open] = JSON.parse(stdout) as { id: string }[]
        await world.partner(['operations', 'resolve', open?.id ?? 'none'])
        // The same command again finds that the money has already moved.
        await world.partner(redeem)
        const card = (await world.ask('GET', '/GiftCards/GIFT2-00005025-AAAA')) as { remainingAmount: number }
        if (card.remainingAmount !== 49.25) throw new Error(`the card has ${card.remainingAmount}, not 49.25`)
      }
    },
  },
]
