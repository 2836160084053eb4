import { expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import type { Fault } from './commit-server.ts'
import type { Treatment } from './once/ledger-line.ts'
import { OnceHistory, type Payment, type TillHost } from './once/once-history.ts'
import type { MoneyCommand } from './till.ts'
import type { TillRun } from './till-run.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const CARD = 'HISTO-00000001-CARD'
const LOST_BEFORE: Fault = { kind: 'lost', loss: 'reset', phase: 'before' }
const LOST_AFTER: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
const REFUSED: Fault = { kind: 'refused', status: 400, body: { message: 'Not now.' } }
/** A pause longer than an attempt plus the one-minute settling time, in milliseconds. */
const SETTLED_MS = 95_000

let count = 0

async function begin(): Promise<{ history: OnceHistory; a: TillHost; b: TillHost }> {
  const history = await OnceHistory.begin(1, await server.database(), server)
  history.server.cards.set(CARD, { cents: 100_000n, status: 'Active' })
  const [a, b] = history.hosts
  // Create the tables of the ledger, so that later commands send no additional messages.
  await history.list(a, 'none')
  return { history, a, b }
}

function payment(key: string, command: MoneyCommand = 'giftcards redeem', cents: bigint | null = 2_500n): Payment {
  const target = command === 'sales create' ? 'S-1' : CARD
  return { key, write: { command, target, cents, notes: `order ${++count}`, bookingId: null } }
}

/** Kills a run just before it sends the message with this number to the ledger. */
function killBefore(history: OnceHistory, run: TillRun, number: number): void {
  history.line.onMessage = (message) => {
    if (message.run !== run.name || message.number !== number || message.when !== 'before') return 'pass'
    run.kill()
    return 'cut'
  }
}

test('a host sends a payment that the other host certainly did not make', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  history.faults(one, LOST_BEFORE)
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 9 })
  history.passTime(SETTLED_MS)
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 0 })
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 0 })
})

test('a host accounts for payments by other hosts when it checks an earlier attempt', async () => {
  const { history, a, b } = await begin()
  const [one, two] = [payment('till-1'), payment('till-2')]
  history.faults(one, LOST_BEFORE)
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 9 })
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 9 })
  history.passTime(SETTLED_MS)
  expect(await history.resolve(a, one)).toMatchObject({ said: 'not-applied' })
  expect(await history.pay(a, two)).toMatchObject({ exitCode: 0 })
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 0 })
})

test('a payment made by another host during a balance read is accounted for', async () => {
  const { history, a, b } = await begin()
  const [one, two] = [payment('till-1'), payment('till-2', 'inbound redeem')]
  history.faults(one, LOST_BEFORE)
  const run = history.newRun(a)
  history.server.setCallbacks('read', CARD, [null, history.during(run, () => history.pay(b, two))])
  expect(await history.pay(a, one, run)).toMatchObject({ exitCode: 9 })
})

test("a host that waited for another host sends the payment if the service rejects that host's attempt", async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  history.faults(one, REFUSED)
  const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  history.server.setCallbacks('write', CARD, [
    () => {
      arrived.resolve()
      return release.promise
    },
  ])
  const first = history.pay(a, one)
  await arrived.promise
  const run = history.newRun(b)
  run.whileWaiting.push(async () => {
    release.resolve()
    await first
  })
  expect(await history.pay(b, one, run)).toMatchObject({ exitCode: 0 })
  expect(await first).toMatchObject({ exitCode: 5 })
})

test('a blocked payment can be made once the service rejects the identical payment on the other host', async () => {
  const { history, a, b } = await begin()
  const [one, two] = [payment('till-1'), payment('till-2')]
  history.faults(one, REFUSED)
  const run = history.newRun(a)
  history.server.setCallbacks('write', CARD, [
    history.during(run, async () => expect(await history.pay(b, two)).toMatchObject({ exitCode: 9 })),
  ])
  expect(await history.pay(a, one, run)).toMatchObject({ exitCode: 5 })
  expect(await history.pay(b, two)).toMatchObject({ exitCode: 0 })
})

test('a key whose order was rejected on one host is refused for a different order on the other host', async () => {
  const { history, a, b } = await begin()
  history.faults(payment(''), REFUSED)
  expect(await history.pay(a, payment('till-1'))).toMatchObject({ exitCode: 5 })
  expect(await history.pay(b, payment('till-1'))).toMatchObject({ exitCode: 2 })
})

test('a key that was used on one host is refused for a different amount on the other host', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 0 })
  expect(await history.pay(b, { ...one, write: { ...one.write, cents: 2_501n } })).toMatchObject({ exitCode: 2 })
})

test('a host that was killed before it printed a receipt later prints the same receipt as the other host', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  const run = history.newRun(a)
  killBefore(history, run, 3)
  expect(await history.pay(a, one, run)).toMatchObject({ said: 'killed', printed: null })
  history.passTime(SETTLED_MS)
  const repeat = await history.pay(b, one)
  expect(repeat).toMatchObject({ exitCode: 0 })
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 0, printed: repeat.printed })
})

test('a payment that a killed process claimed but never sent can later be made on the other host', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  const run = history.newRun(a)
  killBefore(history, run, 2)
  expect(await history.pay(a, one, run)).toMatchObject({ said: 'killed' })
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 9 })
  history.passTime(SETTLED_MS)
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 0 })
})

test('hosts can take turns resending an open sale', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1', 'sales create')
  for (const host of [a, b, a, b]) {
    history.faults(one, LOST_BEFORE)
    expect(await history.pay(host, one)).toMatchObject({ exitCode: 9 })
    history.passTime(1_000)
  }
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 0 })
})

test('two hosts do not resend an open sale at the same time', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1', 'sales create')
  history.faults(one, LOST_BEFORE)
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 9 })
  const run = history.newRun(a)
  history.line.onMessage = async ({ run: name, number, when }): Promise<Treatment> => {
    if (name === run.name && number === 3 && when === 'after') await history.pay(b, one)
    return 'pass'
  }
  history.server.setFaults('write', 'S-1', [LOST_AFTER, null])
  await history.pay(a, one, run)
  expect(history.server.writesOn('S-1')).toBe(2)
})

test('a host can make a payment that a killed process left unsent, even if the host lists it first', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  const run = history.newRun(a)
  killBefore(history, run, 2)
  await history.pay(a, one, run)
  await history.list(b, 'till-1')
  history.passTime(SETTLED_MS)
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 0 })
})

test('reading the ledger does not release the key of a write that is about to be claimed', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  history.faults(one, LOST_BEFORE)
  await history.pay(a, one)
  history.passTime(SETTLED_MS)
  expect(await history.resolve(a, one)).toMatchObject({ said: 'not-applied' })
  const run = history.newRun(a)
  history.line.onMessage = async ({ run: name, number, when }): Promise<Treatment> => {
    if (name === run.name && number === 1 && when === 'before') await history.list(a, 'till-1')
    return 'pass'
  }
  expect(await history.pay(a, one, run)).toMatchObject({ exitCode: 0 })
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 0 })
})

test('reading the ledger does not undo an outcome that another process determines during the read', async () => {
  const { history, a } = await begin()
  const one = payment('till-1')
  history.faults(one, LOST_BEFORE)
  await history.pay(a, one)
  history.passTime(SETTLED_MS)
  await history.list(a, 'till-1')
  const resolving = history.newRun(a)
  let isRead = false
  history.line.onMessage = async ({ run: name, number, when }): Promise<Treatment> => {
    // Cut the connection before the sixth message, which would store the outcome in the ledger.
    if (name === resolving.name) return number > 5 ? 'cut' : 'pass'
    if (when === 'before' || isRead) return 'pass'
    isRead = true
    const found = { said: 'not-applied', exitCode: 0, trouble: expect.any(String) }
    await history.during(resolving, async () => expect(await history.resolve(a, one, resolving)).toMatchObject(found))()
    return 'pass'
  }
  await history.list(a, 'till-1')
  const paying = history.newRun(a)
  let reads = 0
  history.server.setCallbacks('read', CARD, [() => void reads++, () => void reads++])
  expect(await history.pay(a, one, paying)).toMatchObject({ exitCode: 0 })
  expect(reads).toBe(1)
})

test('a payment succeeds even if another process has already copied its outcome from the ledger', async () => {
  const { history, a } = await begin()
  const run = history.newRun(a)
  run.beforeItPrints = history.during(run, () => history.list(a, 'till-1'))
  expect(await history.pay(a, payment('till-1'), run)).toMatchObject({ exitCode: 0 })
})

test('a run that cannot check an earlier attempt uses the outcome that another process has determined', async () => {
  const { history, a } = await begin()
  const one = payment('till-1')
  const down: Fault = { kind: 'refused', status: 503, body: { message: 'Down.' } }
  history.faults(one, LOST_AFTER)
  history.server.setFaults('read', CARD, [null, down])
  expect(await history.pay(a, one)).toMatchObject({ exitCode: 9 })
  history.passTime(SETTLED_MS)
  const run = history.newRun(a)
  history.server.setFaults('read', CARD, [null, down])
  history.server.setCallbacks('read', CARD, [
    history.during(run, async () => expect(await history.resolve(a, one)).toMatchObject({ said: 'applied' })),
  ])
  expect(await history.pay(a, one, run)).toMatchObject({ exitCode: 0 })
})

test('a run makes a blocked payment once the blocking process gives up', async () => {
  const { history, a } = await begin()
  const one = payment('till-1')
  const [refused, dropping] = [history.newRun(a), history.newRun(a)]
  const claimed = Promise.withResolvers<void>()
  const wasRefused = Promise.withResolvers<void>()
  let dropped: Promise<unknown> | undefined
  refused.beforeItClaims = () => {
    dropped ??= history.pay(a, one, dropping)
    return claimed.promise
  }
  history.line.onMessage = async ({ run, number }): Promise<Treatment> => {
    if (run === dropping.name) {
      claimed.resolve()
      await wasRefused.promise
      return 'cut'
    }
    wasRefused.resolve()
    await dropped
    // Cut the connection for the first message and for its retry. There is no second retry.
    return number <= 2 ? 'cut' : 'pass'
  }
  expect(await history.pay(a, one, refused)).toMatchObject({ exitCode: 0 })
  expect(await dropped).toMatchObject({ exitCode: 8 })
})

test('operations resolve changes nothing while another host prepares to send the write', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  const run = history.newRun(a)
  const look = async () => {
    await history.list(b, 'till-1')
    expect(await history.resolve(b, one)).toMatchObject({ exitCode: 9 })
  }
  history.server.setCallbacks('read', CARD, [history.during(run, look)])
  expect(await history.pay(a, one, run)).toMatchObject({ exitCode: 0 })
  expect(await history.pay(b, one)).toMatchObject({ exitCode: 0 })
})

test('operations resolve does not release the key of a write that another host has begun to send', async () => {
  const { history, a, b } = await begin()
  const one = payment('till-1')
  const [run, resolving] = [history.newRun(a), history.newRun(b)]
  const [looked, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let resolved: Promise<unknown> | undefined
  history.server.setCallbacks('read', CARD, [
    history.during(run, async () => {
      await history.list(b, 'till-1')
      resolved = history.resolve(b, one, resolving)
      await Promise.race([looked.promise, resolved])
    }),
  ])
  history.line.onMessage = async ({ run: name, number, when }): Promise<Treatment> => {
    if (name !== resolving.name) return 'pass'
    // The run's first four messages read the ledger.
    if (number === 4 && when === 'after') looked.resolve()
    if (number > 4) await sent.promise
    return 'pass'
  }
  history.server.setCallbacks('write', CARD, [
    history.during(run, async () => {
      sent.resolve()
      await resolved
      expect(await history.pay(b, one)).toMatchObject({ exitCode: 9 })
    }),
  ])
  // The first host's write times out while the other host waits for its outcome.
  expect(await history.pay(a, one, run)).toMatchObject({ exitCode: 9 })
  expect(await resolved).toMatchObject({ exitCode: 9 })
  history.passTime(SETTLED_MS)
  for (const host of [b, a]) expect(await history.pay(host, one)).toMatchObject({ exitCode: 0 })
  expect(history.server.writesOn(CARD)).toBe(1)
})
