import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { startSandboxProcess } from '../support/sandbox-process.ts'
import { until } from '../support/until.ts'
import { words } from '../support/words.ts'
import { bodyOf, startListening } from '../webhooks/listener/listening.ts'

// A support engineer takes two phone calls and finds the cause of each problem.

/** Starts a venue with its own service and sets up the engineer's machine with a profile for that service. */
async function venue() {
  const sandbox = await startSandboxProcess()
  const [env, cwd] = [freshHome(), freshDirectory()]
  const added = words(`profiles add harbour --base-url ${sandbox.baseUrl} --timezone Australia/Sydney --api-key-stdin`)
  expect(await runPartner(added, { env, cwd, input: sandbox.apiKey })).toMatchObject({ code: 0 })
  /** Runs a command line and checks its exit code. */
  const run = async (line: string | readonly string[], code = 0) => {
    const done = await runPartner(typeof line === 'string' ? words(line) : line, { env, cwd })
    expect(done.code, `${line}\n${done.stdout}${done.stderr}`).toBe(code)
    return done
  }
  // biome-ignore lint/suspicious/noExplicitAny: a test inspects arbitrary responses
  const json = async (line: string, code = 0): Promise<any> => JSON.parse((await run(`${line} --json`, code)).stdout)
  const atSandbox = (...line: readonly string[]) => run(['sandbox', ...line, '--base-url', sandbox.baseUrl, '--quiet'])
  return { sandbox, cwd, run, json, atSandbox }
}

interface Row {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly next: string | null
}

test('a support engineer can find out that a webhook points to a machine that does not exist', async () => {
  const { sandbox, cwd, run, json, atSandbox } = await venue()
  const till = await startListening([], { journal: join(cwd, 'hooks.ndjson') })
  // At midnight, the venue makes bookings of its own, such as BK-1645.
  const received = () => till.lines().filter((line) => !bodyOf(line).includes('BK-')).length
  const create = async (): Promise<string> => (await json('bookings create --people 2 --time +30m')).bookingId
  try {
    await run(`webhooks create BOOKING_CREATED ${till.url}`)
    await run('bookings sync --to venue.ndjson --since now --quiet')
    const early = await create()
    await until(() => received() === 1)

    // Unknown to the engineer, a colleague redirected the webhook for a test, so events about this evening's bookings
    // are not delivered.
    await run('webhooks update BOOKING_CREATED https://till-test.invalid/hooks')
    // When the guest calls, the service has already stopped retrying these deliveries.
    await atSandbox('faults', 'add', '--endpoint', 'POST /Bookings', '--lost-webhook')
    const late = [await create(), await create()]
    await atSandbox('faults', 'clear')

    // Doctor finds no problem with the connection to the service, but warns about the address that events are sent to.
    const { rows } = (await json('doctor')) as { rows: Row[] }
    expect(rows.filter(({ status }) => status === 'fail')).toEqual([])
    const event = rows.find(({ name }) => name === 'webhook BOOKING_CREATED')
    expect(event).toMatchObject({ status: 'warn', message: expect.stringContaining('till-test.invalid') })
    expect((await json(event?.next?.replace(/^partner /, '') ?? '')).webhookUrl).toBe('https://till-test.invalid/hooks')

    // The till received the event for an earlier booking, but not for the booking of the guest on the phone.
    const isDelivery = ({ kind }: { kind: string }) => kind === 'delivery'
    const arrived = async (id: string) => (await json(`timeline booking ${id} --journal hooks.ndjson`)).some(isDelivery)
    expect(await arrived(early)).toBe(true)
    expect(await arrived(late[0] ?? '')).toBe(false)

    // The engineer corrects the webhook, finds the missed events and sends them.
    await run(`webhooks update BOOKING_CREATED ${till.url}`)
    await atSandbox('clock', 'advance', '20m')
    await run('bookings sync --to venue.ndjson --quiet')
    const gaps = 'webhooks gaps --journal hooks.ndjson --copy venue.ndjson --event BOOKING_CREATED'
    const lost = (await json(gaps, 11)) as { class: string; subject: string }[]
    expect(lost.map((row) => `${row.class} ${row.subject}`).sort()).toEqual(late.map((id) => `missing ${id}`).sort())
    await run(`${gaps} --repair --to ${till.url}`)
    await until(() => received() === 3)
    for (const id of late) expect(await arrived(id)).toBe(true)
  } finally {
    await till.stop()
    await sandbox.stop()
  }
})

test('a support engineer can find out why a gift card is unexpectedly empty', async () => {
  const { sandbox, cwd, run, json, atSandbox } = await venue()
  const hooks = await startListening([], { journal: join(cwd, 'hooks.ndjson') })
  const card = 'GIFT2-00005025-AAAA'
  const fault = (endpoint: string, ...effect: readonly string[]) =>
    atSandbox('faults', 'add', '--endpoint', endpoint, ...effect)
  try {
    await run(`webhooks create GIFTCARDS_REDEEMED ${hooks.url}`)

    // An hour ago, the till lost its connection during a redemption.
    await fault('POST /GiftCards/redeem', '--reset', '--phase', 'after', '--next', '1')
    for (const nth of ['2', '3', '4']) await fault('GET /GiftCards/{cardNumber}', '--status', '503', '--nth', nth)
    await run(`giftcards redeem ${card} --amount 50.25 --retries 0 --quiet`, 9)
    await atSandbox('faults', 'clear')
    await until(() => hooks.lines().length === 1)

    // According to the guest, the card had a balance of 50.25 this morning, but the till says that it is empty.
    expect(await json(`giftcards get ${card}`)).toMatchObject({ status: 'Redeemed', remainingAmount: 0, amount: 100 })

    // The timeline shows who redeemed the card and when, that the outcome was unknown, and that the event was
    // delivered.
    type Entry = Readonly<Record<'kind' | 'where' | 'text', string>>
    const timeline = (): Promise<Entry[]> => json(`timeline giftcard ${card} --journal hooks.ndjson`)
    const told = await timeline()
    const expected = ['operation', 'delivery', 'state']
    expect(told.map(({ kind }) => kind).filter((kind) => expected.includes(kind))).toEqual(expected)
    const operation = told.find(({ kind }) => kind === 'operation')
    expect(operation?.text).toContain('giftcards redeem of 50.25')

    // Doctor finds no failure, but it warns about the open operation and suggests a command that resolves it. That
    // command reports that the redemption took effect.
    const { rows } = (await json('doctor')) as { rows: Row[] }
    const open = rows.find(({ name, status }) => name === 'operations' && status === 'warn')
    expect(open?.message).toContain(operation?.where)
    expect(rows.filter(({ status }) => status === 'fail')).toEqual([])
    const settled = await json(open?.next?.replace(/^partner /, '') ?? '')
    expect(settled).toMatchObject({ id: operation?.where, state: 'applied' })
    expect((await timeline()).find(({ kind }) => kind === 'outcome')?.text).toMatch(/took effect/)
  } finally {
    await hooks.stop()
    await sandbox.stop()
  }
})
