import { describe, expect, test as plainTest } from 'vitest'
import { needs } from '../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import { operationOf, reportedError } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { COMMAND_LINES, targetOf } from './cashier.ts'
import type { Fault } from './commit-server.ts'
import { expectRepeat, type Hosts, KEY, kill, MINUTE_MS, openHosts, type TestHost } from './hosts.ts'
import { COMMANDS, type MoneyCommand } from './till.ts'

needs(OWN_POSTGRES)
const postgres = postgresServer()

/** A `test` with two machines, `hosts`, as its fixture. */
const test = plainTest.extend<{ hosts: Hosts }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs
  hosts: async ({}, use) => use(await openHosts(postgres)),
})

const LOST_AFTER: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
const LOST_BEFORE: Fault = { kind: 'lost', loss: 'reset', phase: 'before' }
const HANGS_AFTER: Fault = { kind: 'lost', loss: 'hang', phase: 'after' }
const HANGS_BEFORE: Fault = { kind: 'lost', loss: 'hang', phase: 'before' }
const UNAVAILABLE: Fault = { kind: 'refused', status: 503, body: { message: 'Down for maintenance.' } }
/** Environment variables of a machine without a ledger. */
const ALONE = { PARTNER_LEDGER: undefined }
const NO_RETRIES = ['--retries', '0'] as const
/**
 * The commands whose outcome partner can always determine with reads. Excludes sales, because the service lists only
 * sales with a booking.
 */
const READABLE = COMMANDS.filter((command) => command !== 'sales create')

const plain = (host: TestHost, command: MoneyCommand, ...more: readonly string[]) =>
  host.run(...COMMAND_LINES[command], ...more)
const once = (host: TestHost, command: MoneyCommand, ...more: readonly string[]) =>
  plain(host, command, '--once', KEY, ...more)

/** Sends a write from the first machine. Its response is lost, so its outcome is unknown. Returns the operation ID. */
async function leaveOpen({ server, a }: Hosts, command: MoneyCommand, fault: Fault, ...more: readonly string[]) {
  server.setFaults('write', targetOf(command), [fault])
  server.setFaults('read', targetOf(command), [null, UNAVAILABLE])
  const run = await plain(a, command, ...NO_RETRIES, ...more)
  server.setFaults('read', targetOf(command), [])
  expect(run.code, run.stderr).toBe(9)
  return operationOf(run)
}

describe.each(COMMANDS)('%s on two machines', (command) => {
  const target = targetOf(command)

  test.for(['json', 'table', 'csv'])(
    'a repeat on the other machine with -o %s sends nothing and prints the same output',
    async (format, { hosts: { server, a, b } }) => {
      const line = [...COMMAND_LINES[command].filter((word) => word !== '--json'), '-o', format, '--once', KEY]
      const first = await a.run(...line)
      expect(first.code, first.stderr).toBe(0)
      expect(first.stdout).toContain(target)
      const requests = server.requests.length
      for (const host of [b, a, b]) expectRepeat(await host.run(...line), first)
      expect(server.requests).toHaveLength(requests)
      expect(server.commitsOn(target)).toBe(1)
    },
  )

  test('a key that was used for a different order is rejected on the other machine', async ({
    hosts: { server, a, b },
  }) => {
    expect((await once(a, command)).code).toBe(0)
    const requests = server.requests.length
    const others = COMMANDS.filter((other) => other !== command).map((other) => () => once(b, other))
    for (const start of [...others, () => once(b, command, '--set', 'reference=other')]) {
      const run = await start()
      expect(run.code, run.stderr).toBe(2)
      const { code, exitCode, message } = reportedError(run)
      expect({ code, exitCode }).toEqual({ code: 'USAGE', exitCode: 2 })
      expect(message).toContain(`--once ${KEY} was used for another order`)
      expect(message).toContain(target)
      if (command.endsWith('redeem')) expect(message).toContain('25.00')
      expect(run.stdout).toBe('')
    }
    expect(server.requests).toHaveLength(requests)
  })

  test("a repeat on the other machine prints the same output even if the write's response was lost", async ({
    hosts: { server, a, b },
  }) => {
    server.setFaults('write', target, [LOST_AFTER])
    const first = await once(a, command)
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toContain('the response was lost')
    expectRepeat(await once(b, command), first)
    expect(server.commitsOn(target)).toBe(1)
  })

  test('an order that the service rejected can be sent from the other machine with the same key', async ({
    hosts: { server, a, b },
  }) => {
    server.setFaults('write', target, [{ kind: 'refused', status: 400, body: { message: 'Not now.' } }])
    expect((await once(a, command)).code).toBe(5)
    expect(await b.operations('--once', KEY)).toMatchObject([{ state: 'not-applied', once: KEY }])
    const done = await once(b, command)
    expect(done.code, done.stderr).toBe(0)
    expectRepeat(await once(a, command), done)
    expect(server.commitsOn(target)).toBe(1)
  })

  test('a write without a key is refused while the other machine is sending the same write', async ({
    hosts: { server, a, b },
  }) => {
    server.setFaults('write', target, [HANGS_BEFORE])
    const hanging = a.start(...COMMAND_LINES[command])
    await until(() => server.writesOn(target) === 1)
    for (let again = 0; again < 2; again++) {
      const run = await plain(b, command)
      expect(reportedError(run)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
      expect(reportedError(run).message).toContain('nothing was sent')
    }
    await kill(hanging)
    expect((await plain(b, command)).code).toBe(9)
    expect(server.writesOn(target)).toBe(1)
  })

  test('a write is allowed after the other machine finishes the identical write that blocked it', async ({
    hosts: { server, a, b },
  }) => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
    server.setFaults('write', target, [{ kind: 'slow', meanwhile: () => isAnswered }])
    const slow = a.start(...COMMAND_LINES[command])
    await until(() => server.writesOn(target) === 1)
    expect((await plain(b, command)).code).toBe(9)
    answer()
    expect((await slow.ended).code).toBe(0)
    expect(await b.operations('--state', 'open')).toEqual([])
    const next = await plain(b, command)
    // The service rejects a duplicate sale, but accepts the cancellation of a cancelled card.
    expect(next.code, next.stderr).toBe(command === 'sales create' ? 6 : 0)
  })

  test('a write is allowed after the service rejects the identical write that blocked it', async ({
    hosts: { server, a, b },
  }) => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    server.setCallbacks('write', target, [() => mayAnswer])
    server.setFaults('write', target, [{ kind: 'refused', status: 400, body: { message: 'Not now.' } }])
    const slow = a.start(...COMMAND_LINES[command])
    await until(() => server.writesOn(target) === 1)
    for (const run of [await plain(b, command), await once(b, command, '--timeout', '300ms')]) expect(run.code).toBe(9)
    answer()
    expect((await slow.ended).code).toBe(5)
    const next = await once(b, command)
    expect(next.code, next.stderr).toBe(0)
    expect(server.commitsOn(target)).toBe(1)
  })

  test('if two machines start a write without a key at the same time, only one process sends it', async ({
    hosts: { server, a, b },
  }) => {
    server.setFaults('write', target, [HANGS_AFTER])
    const processes = [a, b, a, b, a, b].map((host) => host.start(...COMMAND_LINES[command]))
    await until(() => processes.filter(({ process }) => process.exitCode === 9).length === 5)
    await until(() => server.writesOn(target) > 0)
    expect(server.writesOn(target)).toBe(1)
    const last = processes.find(({ process }) => process.exitCode === null)
    if (last) await kill(last)
  })

  test('if several processes start an order with the same key, one sends it and all print the result', async ({
    hosts: { server, a, b },
  }) => {
    const runs = await Promise.all(
      [a, b, a, b, a, b].map((host) => host.start(...COMMAND_LINES[command], '--once', KEY).ended),
    )
    for (const run of runs) expect(run, run.stderr).toMatchObject({ code: 0, stdout: runs[0]?.stdout })
    expect(runs.filter(({ stderr }) => !stderr.includes('already done'))).toHaveLength(1)
    expect(server.writesOn(target)).toBe(1)
  })

  test('a run waits for the same order on the other machine and then prints its result', async ({
    hosts: { server, a, b },
  }) => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
    server.setFaults('write', target, [{ kind: 'slow', meanwhile: () => isAnswered }])
    const slow = a.start(...COMMAND_LINES[command], '--once', KEY)
    await until(() => server.writesOn(target) === 1)
    const waiting = b.start(...COMMAND_LINES[command], '--once', KEY)
    await until(async () => (await b.ownOperations()).length === 1)
    answer()
    const first = await slow.ended
    expect(first.code, first.stderr).toBe(0)
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: first.stdout })
    expect(server.writesOn(target)).toBe(1)
  })

  test('a run gives up after --timeout if the other machine is still sending the order', async ({
    hosts: { server, a, b },
  }) => {
    server.setFaults('write', target, [HANGS_BEFORE])
    const slow = a.start(...COMMAND_LINES[command], '--once', KEY)
    await until(() => server.writesOn(target) === 1)
    for (let again = 0; again < 2; again++) {
      const run = await once(b, command, '--timeout', '300ms')
      expect(run.code, run.stderr).toBe(9)
      expect(reportedError(run).message).toMatch(
        /^process \d+ on .+ may still be working on this order; nothing was sent$/,
      )
      expect(reportedError(run).hint).toMatch(/partner operations resolve op_\w+ --wait/)
    }
    await kill(slow)
    expect(server.writesOn(target)).toBe(1)
  })

  test('an unsent claim by a killed process blocks the other machine only until its deadline', async ({
    hosts: { server, a, b, proxy, age },
  }) => {
    expect((await a.run('operations', 'list')).code).toBe(0)
    let victim: ReturnType<TestHost['start']> | null = null
    // Kill the process after its claim has been stored, but before it can mark the write as sent.
    proxy.onQuery = async (sql) => {
      if (victim === null || !sql.includes("SET phase = 'sending'")) return 'pass'
      const dying = victim
      victim = null
      await kill(dying)
      return 'cut-before'
    }
    victim = a.start(...COMMAND_LINES[command], '--once', KEY)
    await victim.ended
    expect((await once(b, command, '--timeout', '300ms')).code).toBe(9)
    expect(server.writesOn(target)).toBe(0)
    await age(2 * MINUTE_MS)
    const sent = await once(b, command)
    expect(sent.code, sent.stderr).toBe(0)
    expectRepeat(await once(a, command), sent)
    expect(server.commitsOn(target)).toBe(1)
  })

  test('an order completed before the machine had a ledger is not sent again', async ({ hosts: { server, a } }) => {
    const first = await once(a.with(ALONE), command)
    expect(first.code, first.stderr).toBe(0)
    const requests = server.requests.length
    expectRepeat(await once(a, command), first)
    expect(server.requests).toHaveLength(requests)
  })

  test('a machine with a ledger treats a write as open even if it is open only in the local record', async ({
    hosts,
  }) => {
    const { server, a } = hosts
    const id = await leaveOpen({ ...hosts, a: a.with(ALONE) }, command, LOST_BEFORE)
    const run = await plain(a, command)
    // Partner may resend a sale, because the service recognizes its ID.
    const isSale = command === 'sales create'
    expect(run.code, run.stderr).toBe(isSale ? 0 : 9)
    if (!isSale) expect(operationOf(run)).toBe(id)
    expect(server.writesOn(target)).toBe(isSale ? 2 : 1)
  })
})

describe.each(READABLE)('%s repeated on two machines after an unknown outcome', (command) => {
  const target = targetOf(command)

  test('without a key, the other machine refuses to repeat a write whose response was lost', async ({ hosts }) => {
    const { server, b, age } = hosts
    const id = await leaveOpen(hosts, command, LOST_BEFORE)
    const requests = server.requests.length
    for (const ms of [0, 2 * MINUTE_MS, 1000 * MINUTE_MS]) {
      await age(ms)
      const run = await plain(b, command)
      expect(reportedError(run)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9 })
      expect(operationOf(run)).toBe(id)
      expect(reportedError(run).message).toContain('nothing was sent')
    }
    expect(server.requests).toHaveLength(requests)
    expect((await plain(b, command, '--force')).code).toBe(0)
  })

  test('a repeat on the other machine with the same key determines that the write took effect', async ({ hosts }) => {
    const { server, a, b } = hosts
    await leaveOpen(hosts, command, LOST_AFTER, '--once', KEY)
    const again = await once(b, command)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain('already done')
    for (const host of [a, b]) expectRepeat(await once(host, command), again)
    expect(server.writesOn(target)).toBe(1)
    for (const host of [a, b])
      expect(await host.operations('--once', KEY)).toMatchObject([{ state: 'applied', once: KEY }])
  })

  test('a repeat on the other machine with the same key determines that a killed process performed the write', async ({
    hosts,
  }) => {
    const { server, a, b, age } = hosts
    server.setFaults('write', target, [HANGS_AFTER])
    const victim = a.start(...COMMAND_LINES[command], '--once', KEY)
    await until(() => server.commitsOn(target) === 1)
    await kill(victim)
    const early = await once(b, command, '--timeout', '300ms')
    expect(reportedError(early)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9 })
    await age(MINUTE_MS)
    const again = await once(b, command)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain('already done')
    for (const host of [a, b]) expectRepeat(await once(host, command), again)
    expect(server.writesOn(target)).toBe(1)
  })

  test('a repeat on the other machine with the same key resends a write no sooner than a minute after its deadline', async ({
    hosts,
  }) => {
    const { server, a, b, age } = hosts
    server.setFaults('write', target, [HANGS_BEFORE])
    // The timeout sets the deadline of the write: 30 seconds after it was sent.
    const victim = a.start(...COMMAND_LINES[command], '--once', KEY, '--timeout', '30s')
    await until(() => server.writesOn(target) === 1)
    await kill(victim)
    for (const ms of [0, 31_000, 40_000]) {
      await age(ms)
      const early = await once(b, command, '--timeout', '300ms')
      expect(reportedError(early), String(ms)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9 })
    }
    expect(server.writesOn(target)).toBe(1)
    await age(20_000)
    const sent = await once(b, command)
    expect(sent.code, sent.stderr).toBe(0)
    expect(sent.stderr).not.toContain('already done')
    for (const host of [a, b]) expectRepeat(await once(host, command), sent)
    expect(server.commitsOn(target)).toBe(1)
  })

  test('if processes on two machines repeat an unperformed write with the same key, only one of them resends it', async ({
    hosts,
  }) => {
    const { server, a, b, age } = hosts
    await leaveOpen(hosts, command, LOST_BEFORE, '--once', KEY)
    for (const host of [a, b]) expect((await once(host, command, '--timeout', '300ms')).code).toBe(9)
    await age(2 * MINUTE_MS)
    const runs = await Promise.all(
      [a, b, a, b].map((host) => host.start(...COMMAND_LINES[command], '--once', KEY).ended),
    )
    for (const run of runs) expect(run, run.stderr).toMatchObject({ code: 0, stdout: runs[0]?.stdout })
    expect(server.writesOn(target)).toBe(2)
    expect(server.commitsOn(target)).toBe(1)
  })

  test('an outcome that operations resolve determines on one machine applies to all machines', async ({ hosts }) => {
    const { server, a, b, age } = hosts
    const id = await leaveOpen(hosts, command, LOST_BEFORE, '--once', KEY)
    await age(2 * MINUTE_MS)
    const resolved = await b.run('operations', 'resolve', id, '--json')
    expect(resolved.code, resolved.stderr).toBe(0)
    expect(JSON.parse(resolved.stdout)).toMatchObject({ id, state: 'not-applied', once: KEY, host: expect.any(String) })
    for (const host of [a, b]) expect(await host.operations()).toMatchObject([{ id, state: 'not-applied' }])
    const sent = await once(a, command)
    expect(sent.code, sent.stderr).toBe(0)
    expectRepeat(await once(b, command), sent)
    expect(server.writesOn(target)).toBe(2)
  })

  test('operations resolve on the other machine allows the first machine to write again', async ({ hosts }) => {
    const { server, a, b } = hosts
    const id = await leaveOpen(hosts, command, LOST_AFTER)
    for (const host of [a, b]) expect((await plain(host, command)).code).toBe(9)
    const shown = await b.run('operations', 'show', id, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, state: 'open', target })
    expect(await b.operations()).toEqual([JSON.parse(shown.stdout)])
    const resolved = await b.run('operations', 'resolve', id, '--json')
    expect(resolved.code, resolved.stderr).toBe(0)
    expect(JSON.parse(resolved.stdout)).toMatchObject({ id, state: 'applied' })
    const next = await plain(a, command)
    expect(next.code, next.stderr).toBe(0)
    expect(await a.operations()).toMatchObject([{ id, state: 'applied' }])
    expect(server.commitsOn(target)).toBe(command === 'giftcards cancel' ? 1 : 2)
  })
})

test.for([
  ['arrived', LOST_AFTER],
  ['did not arrive', LOST_BEFORE],
] as const)(
  'the other machine can resend a sale that %s, because the service recognizes its ID',
  async ([, fault], { hosts }) => {
    const { server, a, b } = hosts
    const id = await leaveOpen(hosts, 'sales create', fault)
    const run = await plain(b, 'sales create')
    expect(run.code, run.stderr).toBe(0)
    expect(server.commitsOn(targetOf('sales create'))).toBe(1)
    expect(server.writesOn(targetOf('sales create'))).toBe(2)
    for (const host of [a, b]) expect(await host.operations()).toMatchObject([{ id, state: 'applied' }])
  },
)

test('no machine resends a sale that was first sent more than ten minutes ago', async ({ hosts }) => {
  const { server, a, b, age } = hosts
  const id = await leaveOpen(hosts, 'sales create', LOST_BEFORE)
  await age(11 * MINUTE_MS)
  for (const host of [b, a, b]) {
    const run = await plain(host, 'sales create')
    expect(reportedError(run)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(operationOf(run)).toBe(id)
  }
  expect(server.writesOn(targetOf('sales create'))).toBe(1)
})

test('only one process on two machines resends the sale of a killed process', async ({ hosts }) => {
  const { server, a, b, age } = hosts
  server.setFaults('write', targetOf('sales create'), [HANGS_BEFORE])
  const victim = a.start(...COMMAND_LINES['sales create'])
  await until(() => server.writesOn(targetOf('sales create')) === 1)
  await kill(victim)
  await age(MINUTE_MS)
  server.setFaults('write', targetOf('sales create'), [HANGS_AFTER])
  const processes = [a, b, a, b].map((host) => host.start(...COMMAND_LINES['sales create']))
  await until(() => processes.filter(({ process }) => process.exitCode === 9).length === 3)
  await until(() => server.writesOn(targetOf('sales create')) === 2)
  const last = processes.find(({ process }) => process.exitCode === null)
  if (last) await kill(last)
  expect(server.writesOn(targetOf('sales create'))).toBe(2)
})

test('an outcome that a user sets on one machine applies to all machines', async ({ hosts }) => {
  const { server, a, b, age } = hosts
  const id = await leaveOpen(hosts, 'giftcards redeem', LOST_BEFORE, '--once', KEY)
  await age(2 * MINUTE_MS)
  const said = await b.run('operations', 'resolve', id, '--as', 'applied', '--yes', '--json')
  expect(said.code, said.stderr).toBe(0)
  const repeats = [await once(a, 'giftcards redeem'), await once(b, 'giftcards redeem')]
  for (const repeat of repeats) expectRepeat(repeat, { stdout: repeats[0]?.stdout ?? '' })
  expect(server.writesOn(targetOf('giftcards redeem'))).toBe(1)
})

test('operations list --once prints at most one record for each service', async ({ hosts }) => {
  const { server, a, b } = hosts
  const other = await openHosts(postgres)
  const elsewhere = a.with({ ...other.server.env })
  for (const host of [a, elsewhere]) expect((await once(host, 'giftcards redeem')).code).toBe(0)
  const records = await b.operations('--once', KEY)
  expect(records).toHaveLength(2)
  expect(new Set(records.map(({ id }) => id)).size).toBe(2)
  expect(records.every(({ once, host, state }) => once === KEY && host !== '' && state === 'applied')).toBe(true)
  expect([server, other.server].map((one) => one.commitsOn(targetOf('giftcards redeem')))).toEqual([1, 1])
})
