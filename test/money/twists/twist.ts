import { type Fault, type Meanwhile, PHASES, type Phase } from '../commit-server.ts'
import { FATES } from '../fates.ts'
import type { History, Intent } from '../history.ts'
import { CANCEL_LIES, LOSSES, type Loss, REDEEM_LIES, REDEEM_LOSSES, SALE_LOSSES } from '../losses.ts'
import { COMMANDS } from '../till.ts'
import type { TillRun } from '../till-run.ts'

/**
 * Scenarios in which something goes wrong, keyed by description. Each ends once partner has reported an outcome, even
 * an unknown one.
 */
export type Twists = Readonly<Record<string, (history: History) => Promise<void>>>

export const REDEEMS = ['giftcards redeem', 'inbound redeem'] as const
export const ON_CARDS = [...REDEEMS, 'giftcards cancel'] as const

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

export function addAnyIntent(history: History): Intent {
  return history.addIntent(history.random.pick(COMMANDS))
}

/** Picks a random way to lose the response to a write. */
export function pickLoss(
  { random }: History,
  { write: { command } }: Intent,
  phases: readonly Phase[] = PHASES,
): Fault {
  const ofOthers = command === 'sales create' ? SALE_LOSSES : LOSSES
  const losses: readonly Loss[] = command.endsWith('redeem') ? REDEEM_LOSSES : ofOthers
  return { kind: 'lost', loss: random.pick(losses), phase: random.pick(phases) }
}

/**
 * Picks a random response that does not prove whether the write took effect. The service sends this response only after
 * it has finished processing the write.
 */
export function pickLie({ random }: History, { write: { command } }: Intent): Fault {
  const lies: readonly Loss[] = command === 'giftcards cancel' ? CANCEL_LIES : REDEEM_LIES
  return { kind: 'lost', loss: random.pick(lies), phase: random.pick(['before', 'after']) }
}

/** Points in a run where a test can intervene. */
export type Point = 'reading' | 'writing' | 'waiting' | 'weighing' | 'proving' | 'answered'

/** Arranges for `blow` to be called when a run reaches the given point. Some runs never reach it. */
export function runAtPoint(history: History, intent: Intent, run: TillRun, point: Point, blow: Meanwhile): void {
  const { server } = history
  const { command, target } = intent.write
  const isSale = command === 'sales create'
  const told: Meanwhile = () => {
    history.log(`(it is ${point})`)
    return blow()
  }
  if (point === 'reading') server.setCallbacks('read', isSale ? 'sales' : target, [told])
  if (point === 'weighing') server.setCallbacks('read', isSale ? 'sales' : target, isSale ? [told] : [null, told])
  // Partner looks up a sale before resending it and again after a 409.
  if (point === 'proving') server.setCallbacks('read', 'sales', [null, told])
  if (point === 'writing') server.setCallbacks('write', target, [told])
  if (point === 'waiting') run.whileWaiting.push(told)
  if (point === 'answered') run.beforeItEnds = told
}

/** Makes the first attempt at a write, sometimes with a changed clock or an unsolicited `100 Continue`. */
export async function attemptWithNoise(history: History, intent: Intent, run = history.run()): Promise<void> {
  const { random, server } = history
  if (random.happens(0.15)) server.proxy.kind = 'continues'
  if (random.happens(0.15)) history.setClock(random.integer(-2 * DAY_MS, 2 * DAY_MS))
  await history.attempt(intent, run)
}

/** Performs random steps: repeats a write, resolves a write, lets time pass or disturbs the clock. */
export async function continueRandomly(history: History): Promise<void> {
  const { random } = history
  for (let steps = random.integer(1, 6); steps > 0; steps--) {
    const intent = random.pick(history.intents)
    const chosen = random.next()
    if (chosen < 0.3) await retry(history, intent)
    else if (chosen < 0.6) await history.resolve(intent, maybeInterrupted(history, intent, ['reading']))
    else if (chosen < 0.9)
      history.passTime(random.pick([1_000, 5_000, 20_000, 40_000, 61_000, 5 * MINUTE_MS, 11 * MINUTE_MS, 20 * DAY_MS]))
    else disturbClock(history)
  }
}

/** Retries a write unless it is known to have taken effect. Sometimes loses the response again. */
async function retry(history: History, intent: Intent): Promise<void> {
  if (intent.outcome === 'applied') return
  const { random } = history
  if (random.happens(0.3)) history.faults(intent, pickLoss(history, intent))
  await history.attempt(
    intent,
    maybeInterrupted(history, intent, ['reading', 'writing', 'weighing']),
    random.pick(FATES),
  )
}

/** Creates a run that is sometimes interrupted or killed at one of the given points. */
function maybeInterrupted(history: History, intent: Intent, points: readonly Point[]): TillRun {
  const { random } = history
  const run = history.run()
  const isKilled = random.happens(0.5)
  if (random.happens(0.25))
    runAtPoint(history, intent, run, random.pick(points), () => {
      history.log(isKilled ? 'kill -9' : 'Ctrl-C')
      if (isKilled) run.kill()
      else run.interrupt()
    })
  return run
}

/**
 * Creates a sale whose outcome is unknown after its first run. Do not use the `after` phase for a sale with a booking,
 * because the service would list the sale.
 */
export async function openSale(
  history: History,
  phases: readonly Phase[] = ['before', 'late'],
  isLinked = history.random.happens(0.5),
): Promise<Intent> {
  history.lateMs = history.random.integer(history.attemptMs + 1, 59_000)
  const intent = history.addIntent('sales create', { bookingId: isLinked ? 'BK-1' : null })
  history.faults(intent, pickLoss(history, intent, phases))
  history.expectOutcome(await history.attempt(intent), 'unknown')
  return intent
}

function disturbClock(history: History): void {
  const { random } = history
  const what = random.next()
  if (what < 0.4) history.setClock(random.integer(-2 * DAY_MS, 2 * DAY_MS))
  else if (what < 0.7) history.restart(random.integer(5_000, 2 * 3_600_000), random.happens(0.5))
  else history.sleep(random.integer(5_000, 8 * 3_600_000))
}
