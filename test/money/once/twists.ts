import type { Fault, Meanwhile } from '../commit-server.ts'
import { FATES } from '../fates.ts'
import { LOSSES, type Loss, REDEEM_LOSSES, SALE_LOSSES } from '../losses.ts'
import type { MoneyCommand, Write } from '../till.ts'
import type { TillRun } from '../till-run.ts'
import type { OnceHistory, Payment, TillHost } from './once-history.ts'

const CARDS = ['HISTO-00000001-CARD', 'HISTO-00000002-CARD'] as const
const TO_CANCEL = 'HISTO-00000003-CARD'
/** Redemption amounts of which every subset has a different sum, so that a balance shows which redemptions took effect. */
const AMOUNTS = [1_001n, 2_003n, 4_007n, 8_017n, 16_033n, 32_069n]

/** Adds random payments to a history, together with the cards that they use. */
export function addPayments(history: OnceHistory): void {
  const { random, server, payments } = history
  for (const card of [...CARDS, TO_CANCEL]) server.cards.set(card, { cents: 500_000n, status: 'Active' })
  history.isAmbiguous = random.happens(0.25)
  const cards = random.happens(0.5) ? CARDS : CARDS.slice(0, 1)
  for (let count = random.integer(1, 3); count > 0; count--) {
    const command = random.pick<MoneyCommand>([
      'giftcards redeem',
      'giftcards redeem',
      'inbound redeem',
      'sales create',
      'giftcards cancel',
    ])
    const at = payments.length
    if (command === 'giftcards cancel' && payments.some(({ write }) => write.command === command)) continue
    const cents = command === 'giftcards cancel' ? null : (AMOUNTS[history.isAmbiguous ? 0 : at] ?? 1n)
    const target =
      command === 'sales create' ? `S-${at}` : command === 'giftcards cancel' ? TO_CANCEL : random.pick(cards)
    const bookingId = command === 'sales create' && random.happens(0.5) ? 'BK-1' : null
    payments.push({ key: `till-${at}`, write: { command, target, cents, notes: `order ${at}`, bookingId } })
  }
}

/**
 * Performs random steps: makes and resolves payments, lets time pass, sets clocks, and restarts hosts and the ledger.
 */
export async function playRandomly(history: OnceHistory): Promise<void> {
  const { random, hosts, payments } = history
  await step(history, random.pick(hosts), random.pick(payments), 0)
  for (let steps = random.integer(2, 7); steps > 0; steps--) {
    const host = random.pick(hosts)
    const payment = random.pick(payments)
    const chosen = random.next()
    if (chosen < 0.6) await step(history, host, payment, 0)
    else if (chosen < 0.7) await history.resolve(host, payment)
    else if (chosen < 0.93) history.passTime(random.pick([1_000, 20_000, 40_000, 61_000, 95_000, 200_000, 11 * 60_000]))
    else if (chosen < 0.94) await history.restartLedger()
    else if (chosen < 0.97) history.setClock(host, random.integer(-172_800_000, 172_800_000))
    else history.restart(host, random.integer(5_000, 7_200_000), random.happens(0.5))
  }
}

/** Makes a payment, sometimes with a misused key, with faults in the service, or with a random event during the run. */
async function step(history: OnceHistory, host: TillHost, payment: Payment, depth: number): Promise<void> {
  const { random, server } = history
  const ordered = random.happens(0.15) ? misuse(history, payment) : payment
  const run = history.newRun(host)
  if (random.happens(0.5)) {
    const fault = pickFault(history, ordered.write)
    history.log(`fault of the next write on ${ordered.write.target}: ${describe(fault)}`)
    server.setFaults('write', ordered.write.target, [fault])
  }
  if (random.happens(0.1)) {
    const about = ordered.write.command === 'sales create' ? 'sales' : ordered.write.target
    const at = random.integer(0, 2)
    const faults = [null, null, null].map((none, index) => (index === at ? pickReadFault(history) : none))
    server.setFaults('read', about, faults)
    history.log(`fault of reading ${at + 1} of ${about}`)
  }
  const end = random.happens(0.6) ? disturb(history, run, host, ordered, depth) : () => {}
  await history.pay(host, ordered, run, random.pick(FATES))
  end()
}

/** Returns a different order that reuses a payment's key. Only one of the two orders may ever be sent. */
function misuse({ random }: OnceHistory, { key, write }: Payment): Payment {
  const notes = `misuse ${random.integer(1, 1_000_000)}`
  const other: Partial<Write> = random.pick([
    {},
    { cents: 64_109n },
    { command: 'giftcards redeem' as const, target: CARDS[0] },
  ])
  const wrong: Write = { ...write, ...other, notes }
  const isCancel = wrong.command === 'giftcards cancel'
  return {
    key,
    write: isCancel
      ? { ...wrong, command: 'giftcards redeem', target: CARDS[0], cents: 64_109n }
      : { ...wrong, cents: wrong.cents ?? 64_109n },
  }
}

function pickFault({ random }: OnceHistory, { command }: Write): Fault {
  if (random.happens(0.15)) return { kind: 'refused', status: 400, body: { message: 'Not now.' } }
  const losses: readonly Loss[] =
    command === 'sales create' ? SALE_LOSSES : command.endsWith('redeem') ? REDEEM_LOSSES : LOSSES
  return { kind: 'lost', loss: random.pick(losses), phase: random.pick(['before', 'after', 'after', 'late']) }
}

function pickReadFault({ random }: OnceHistory): Fault {
  if (random.happens(0.5))
    return { kind: 'refused', status: random.pick([400, 401, 404, 503]), body: { message: 'Down.' } }
  return { kind: 'lost', loss: random.pick(['reset', 'truncate', '503']), phase: 'before' }
}

function describe(fault: Fault): string {
  if (fault.kind === 'lost') return `${fault.loss} (${fault.phase})`
  return fault.kind === 'refused' ? `${fault.status}` : fault.kind
}

/**
 * Triggers a random event, such as a kill or a ledger failure, at a random point of a run. Returns a function that
 * undoes the effects of the event.
 */
function disturb(history: OnceHistory, run: TillRun, host: TillHost, payment: Payment, depth: number): () => void {
  const { random, line } = history
  const earlier = line.onMessage
  const isLedger = random.happens(0.5)
  const number = random.integer(1, 5)
  const when = random.pick(['before', 'after'] as const)
  const blow = pickBlow(history, run, host, payment, depth)
  if (!isLedger) {
    atPoint(history, run, payment, () => blow.work())
    return () => {
      const { target } = payment.write
      for (const about of [target, 'sales'])
        for (const kind of ['read', 'write'] as const) history.server.setCallbacks(kind, about, [])
      blow.end()
    }
  }
  const isCut = random.happens(blow.mayCut ? 0.5 : 0)
  history.log(
    `${run.name}: message ${number} to the ledger: ${when} it, ${blow.name}${isCut ? ', and the connection is cut' : ''}`,
  )
  line.onMessage = async (message) => {
    if (message.run !== run.name || message.number !== number || message.when !== when) return earlier(message)
    history.log(`(message ${number}, ${when})`)
    await blow.work()
    return isCut || run.isDead ? 'cut' : 'pass'
  }
  return () => {
    line.onMessage = earlier
    blow.end()
  }
}

interface Blow {
  readonly name: string
  readonly work: () => void | Promise<void>
  readonly end: () => void
  readonly mayCut: boolean
}

function pickBlow(history: OnceHistory, run: TillRun, host: TillHost, payment: Payment, depth: number): Blow {
  const { random, line, hosts, payments } = history
  const end = () => {}
  const other = hosts.find((one) => one !== host) as TillHost
  const chosen = random.next()
  if (chosen < 0.35)
    return {
      ...{ name: 'kill -9', end, mayCut: false },
      work: () => {
        history.log('kill -9')
        run.kill()
      },
    }
  if (chosen < 0.42)
    return {
      ...{ name: 'Ctrl-C', end, mayCut: false },
      work: () => {
        history.log('Ctrl-C')
        run.interrupt()
      },
    }
  if (chosen < 0.65) {
    const state = random.pick(['down', 'starting'] as const)
    const up = () => {
      line.state = 'up'
    }
    return {
      ...{ name: `the ledger is ${state}`, end: random.happens(0.8) ? up : end, mayCut: false },
      work: () => {
        history.log(`the ledger is ${state}`)
        line.state = state
        line.cut(run.name)
      },
    }
  }
  if (chosen < 0.67) return { name: 'the ledger is restarted', end, mayCut: false, work: () => history.restartLedger() }
  if (chosen < 0.75) return { name: 'nothing happens', end, mayCut: true, work: () => {} }
  if (chosen < 0.8) {
    const ms = random.pick([1_000, 29_000, 62_000, 100_000])
    return { name: `${ms} ms pass`, end, mayCut: true, work: () => history.passTime(ms) }
  }
  const next = random.happens(0.7) ? payment : random.pick(payments)
  const work = () => (depth > 1 ? undefined : step(history, other, next, depth + 1))
  return { name: `${other.name} makes a payment`, end, mayCut: true, work: history.during(run, async () => work()) }
}

/** Makes a run call `blow` at a random point, but not during a ledger operation. Not every run reaches that point. */
function atPoint(history: OnceHistory, run: TillRun, { write }: Payment, blow: Meanwhile): void {
  const { random, server } = history
  const isSale = write.command === 'sales create'
  const about = isSale ? 'sales' : write.target
  const point = random.pick(['reading', 'writing', 'sending', 'weighing', 'printing', 'printed', 'waiting'] as const)
  const told = async () => {
    history.log(`(${run.name} is ${point})`)
    await blow()
  }
  if (point === 'reading') server.setCallbacks('read', about, [told])
  if (point === 'weighing') server.setCallbacks('read', about, isSale ? [told] : [null, told])
  if (point === 'writing') server.setCallbacks('write', write.target, [told])
  if (point === 'printing') run.beforeItPrints = told
  if (point === 'printed') run.beforeItEnds = told
  if (point === 'waiting') run.whileWaiting.push(told)
  let isFirst = true
  if (point === 'sending')
    run.beforeItSends = async (method) => {
      if (method === 'GET' || !isFirst) return
      isFirst = false
      await told()
    }
}
