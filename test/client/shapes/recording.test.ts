import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ShapeFile } from '../../../src/client/shapes/shape-file.ts'
import type { DriftEntry } from '../../../src/features/support/output.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'

const sandbox = await startSharedSandbox()

function freshEnv(service: Readonly<Record<string, string | undefined>> = sandbox.env) {
  return { ...freshHome(), ...service }
}
type Env = ReturnType<typeof freshEnv>

const run = (env: Env, line: string) => runPartner(line, { env })

function filesIn({ PARTNER_DATA_DIR: data }: Env): string[] {
  return globSync('shapes/*.json', { cwd: data }).map((file) => join(data, file))
}

function kept(env: Env): ShapeFile {
  const [file = ''] = filesIn(env)
  return JSON.parse(readFileSync(file, 'utf8')) as ShapeFile
}

test("a command records a response's shape only with --record, in a file that only its owner can read", async () => {
  const env = freshEnv()
  expect(await run(env, 'bookings statuses -q')).toMatchObject({ code: 0 })
  expect(filesIn(env)).toEqual([])
  const plain = await run(env, 'bookings statuses --json')
  expect(await run(env, 'bookings statuses --json --record')).toEqual({ ...plain, stderr: plain.stderr })
  const [file = ''] = filesIn(env)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(kept(env).recorded?.shapes['bookings.statuses']).toMatchObject({ answers: 1, lists: { '': 1 } })
})

test('--record records the shape of a list even if --limit cut the list short', async () => {
  const env = freshEnv()
  expect(await run(env, 'customers list --limit 1 -q --record')).toMatchObject({ code: 0 })
  expect(kept(env).recorded?.shapes['customers.list']).toMatchObject({ answers: 1, cut: 0, record: { seen: 1 } })
})

test('concurrent commands with --record lose none of the recorded shapes', async () => {
  const env = freshEnv()
  const runs = await Promise.all([1, 2, 3, 4].map(() => run(env, 'bookings statuses -q --record')))
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(runs.map(() => ({ code: 0, stderr: '' })))
  expect(kept(env).recorded?.shapes['bookings.statuses']).toMatchObject({ answers: 4 })
})

test('--record records the shapes of all responses to writes except business failures', async () => {
  const env = freshEnv()
  const lines = [
    'reservations create --people 2 --service svc-dinner --section sec-main --first-name Ada --last-name Ng --phone +61400000000 --record',
    'giftcards redeem GIFT2-00005025-AAAA --amount 1 --record',
    'webhooks create BOOKING_CREATED http://127.0.0.1:9/hooks --record',
  ]
  const time = await nextDinner(env)
  for (const [at, line] of lines.entries()) {
    const done = await runPartner([...words(line), ...(at === 0 ? ['--time-utc', time] : [])], { env })
    expect(done).toMatchObject({ code: 0 })
  }
  expect(await run(env, 'giftcards redeem GIFT2-00005025-AAAA --amount 999999 --record')).toMatchObject({ code: 10 })
  expect(kept(env).recorded?.shapes['giftcards.redeem']).toMatchObject({ answers: 1 })

  const entries = JSON.parse((await run(env, 'drift -o json')).stdout) as DriftEntry[]
  const documented = entries.filter(({ basis }) => basis === 'documented')
  expect(documented.filter(({ verdict }) => verdict !== 'confirmed')).toEqual([])
  expect(documented).toContainEqual(
    expect.objectContaining({ endpoint: 'POST /GiftCards/redeem', member: 'amountRedeemed', source: 'recorded' }),
  )
  expect(documented).toContainEqual(expect.objectContaining({ member: 'remainingAmount', source: 'both' }))
})

async function nextDinner(env: Env): Promise<string> {
  const day = await run(env, 'bookings schedule --from +2d --to +9d --people 2 --json')
  // biome-ignore lint/suspicious/noExplicitAny: the days of a schedule
  const days = JSON.parse(day.stdout) as any[]
  return days.flatMap(({ services }) => services ?? []).find(({ id }) => id === 'svc-dinner').times[0].time
}

test('drift reports a recorded deviation from the contract until drift --forget is run', async () => {
  const { baseUrl } = await startRawServer((_, earlier) =>
    answers(200, [{ statusType: 'standard', code: earlier.length === 0 ? 7 : 'SEATED', name: 'Seated' }]),
  )
  const env = freshEnv({ PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: 'k' })
  expect(await run(env, 'bookings statuses -q --record')).toMatchObject({ code: 0 })
  const found = await run(env, 'drift --fail-on documented -o json')
  expect(found).toMatchObject({ code: 11 })
  const contradiction = { member: '[].code', verdict: 'contradicted', source: 'recorded' }
  const seen = expect.stringContaining('1 of 2')
  expect(JSON.parse(found.stdout)).toContainEqual(expect.objectContaining({ ...contradiction, seen }))
  expect((await run(env, 'drift --forget -o json')).stdout).not.toContain('"recorded"')
  expect((await run(env, 'drift -o json')).stdout).not.toContain('"recorded"')
})

test('--record examines only the beginning of a long list, but the command still prints the whole list', async () => {
  const records = Array.from({ length: 3000 }, (_, at) => ({
    ...{ bookingId: `BK-${at}`, people: 2, duration: at < 2900 ? 90 : 'long' },
    ...{ tables: [], tags: [], items: [], status: {}, paymentSummary: {}, notes: 'x'.repeat(1000) },
  }))
  const { baseUrl } = await startRawServer([answers(200, { bookings: records, count: 3000 })])
  const env = freshEnv({ PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: 'k' })
  const done = await run(env, 'bookings list --from today -o ndjson --record')
  expect(done).toMatchObject({ code: 0 })
  expect(done.stdout.match(/\n/g)).toHaveLength(3000)
  const shape = kept(env).recorded?.shapes['bookings.list']
  expect(shape).toMatchObject({ answers: 1, cut: 1, lists: { bookings: 1 } })
  expect(shape?.record).toMatchObject({ seen: 200, members: { duration: { kinds: { integer: 200 } } } })
  // Members that follow the list are not counted as missing, because the recording stops within the list.
  expect(shape?.answer.seen).toBe(0)
})

test.each([
  [
    'a file in place of the shapes directory',
    ({ PARTNER_DATA_DIR: data }: Env) => writeFileSync(join(data, 'shapes'), ''),
  ],
  [
    'a damaged shapes file',
    async (env: Env) => {
      await run(env, 'bookings statuses -q --record')
      writeFileSync(filesIn(env)[0] ?? '', '{"version":')
    },
  ],
])('a command with --record warns about %s but still succeeds', async (_what, spoil) => {
  const env = freshEnv()
  mkdirSync(env.PARTNER_DATA_DIR, { recursive: true })
  await spoil(env)
  const done = await run(env, 'bookings statuses --json --record')
  const stderr = expect.stringContaining('warning: --record could not save the response formats')
  expect(done).toMatchObject({ code: 0, stderr })
  expect(JSON.parse(done.stdout)).toContainEqual({ statusType: 'standard', code: 'SEATED', name: 'Seated' })
})
