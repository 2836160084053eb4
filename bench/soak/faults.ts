import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Activity, Closings } from './activity.ts'
import { HOUR, MINUTE } from './clock.ts'
import type { Watch } from './ledger.ts'
import { waitFor } from './process.ts'
import type { World } from './world.ts'

export interface Scene {
  readonly world: World
  readonly watch: Watch
  readonly activity: Activity
  readonly random: () => number
  /** The closings of the current day, which have not been imported yet. */
  readonly closings: Closings
}

export interface Fault {
  readonly name: string
  /** The check that must tell of it, or `null` if nobody may be told. */
  readonly check: string | null
  /** Whether the check tells only after a minute of its `for`, by which the clock is then moved. */
  readonly mayStep?: boolean
  /** Whether it is told only after it has been repaired. */
  readonly isToldLater?: boolean
  /** Whether it needs a small disk. */
  readonly needsDisk?: boolean
  /** Makes something go wrong. Returns a function that repairs it. */
  inject(scene: Scene): Promise<() => Promise<unknown>>
}

/** Has no effect, because the fault is already over. */
const over = async () => {}
const RESOURCES = 'GET /Resources/booking-statuses'
const PAX = 'PATCH /Bookings/{bookingId}/updatepax'

/** Adds a fault of the service. Returns a function that clears it. */
async function broken(world: World, endpoint: string, ...args: readonly string[]): Promise<() => Promise<unknown>> {
  await world.addFault(endpoint, ...args)
  return () => world.faults('clear')
}

export const FAULTS: readonly Fault[] = [
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
    name: 'the disk is full',
    check: 'disk',
    needsDisk: true,
    async inject({ world, activity }) {
      const filler = join(world.disk as string, 'filler')
      writeFileSync(filler, '')
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(64 * 1024))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
      await activity.changePax('BK-1003')
      return async () => rmSync(filler)
    },
  },
  {
    name: 'each process is killed',
    check: null,
    async inject({ world, watch, random }) {
      const order = world.processes.filter(({ name }) => name !== 'sandbox').map((one) => ({ one, key: random() }))
      for (const { one } of order.toSorted((a, b) => a.key - b.key)) {
        await one.kill()
        await waitFor(`${one.name} runs again`, () => one.said !== '' || one.name === 'worker')
      }
      await watch.settle()
      return over
    },
  },
  {
    name: 'requests fail, syncs are killed',
    check: null,
    async inject({ world, watch, random }) {
      const list = 'GET /Bookings'
      const seed = String(Math.floor(random() * 1000))
      await world.addFault(list, '--share', '15', '--seed', seed, '--reset')
      await world.addFault(list, '--share', '10', '--seed', seed, '--truncate', '900')
      await world.addFault(list, '--share', '10', '--seed', seed, '--status', '429')
      for (let n = 0; n < 3; n++)
        for (const name of ['sync-file', 'sync-postgres', 'sync-log']) {
          await world.named(name).kill()
          await waitFor(`${name} runs again`, () => world.named(name).said !== '')
        }
      await world.faults('clear')
      await watch.settle()
      return over
    },
  },
  {
    name: 'a sync stays down',
    check: 'copy',
    mayStep: true,
    async inject({ world, watch }) {
      await world.named('sync-file').stop()
      await watch.step(20 * MINUTE, 'copy')
      return async () => world.named('sync-file').start()
    },
  },
  {
    name: 'the listener is down',
    check: 'silent',
    mayStep: true,
    async inject({ world, watch, activity }) {
      // Nothing that `gaps` compares happens meanwhile, so that there is one fault and not two.
      const resume = await watch.quiet()
      await watch.settle()
      await world.named('listener').stop()
      await activity.redeemElsewhere()
      await watch.step(20 * MINUTE, 'silent')
      return async () => {
        world.named('listener').start()
        resume()
      }
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
      await world.addFault('POST /GiftCards/redeem', '--close', '--phase', 'after', '--next', '1')
      await world.addFault('GET /GiftCards/{cardNumber}', '--nth', '2', '--status', '503')
      await world.addFault('GET /GiftCards/{cardNumber}', '--nth', '3', '--status', '503')
      await world.addFault('GET /GiftCards/{cardNumber}', '--nth', '4', '--status', '503')
      const redeem = ['giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '1', '--once', 'soak', '--retries', '0']
      const resume = await watch.quiet()
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
  {
    name: 'the database restarts',
    check: null,
    async inject({ world, watch }) {
      const resume = await watch.quiet()
      await world.postgres.stop('SIGINT')
      await world.postgres.start()
      resume()
      await watch.settle()
      return over
    },
  },
  {
    name: 'the database is down',
    check: 'inbox',
    async inject({ world, watch }) {
      const resume = await watch.quiet()
      await world.postgres.stop('SIGQUIT')
      return async () => {
        await world.postgres.start()
        resume()
      }
    },
  },
  {
    name: 'the monitor is killed, and alerts are refused',
    check: 'service',
    isToldLater: true,
    async inject({ world }) {
      const { receivers } = world
      receivers.isOpen = false
      const clear = await broken(world, '*', '--status', '503')
      const refused = receivers.refused
      await waitFor('an alert is refused', () => receivers.refused > refused)
      await world.named('monitor').kill()
      return async () => {
        await clear()
        await waitFor('the service is well again', () => world.states().get('service')?.state === 'ok')
        receivers.isOpen = true
      }
    },
  },
]
