import { describe, expect, test } from 'vitest'
import { monotonicMs } from '../../../src/base/stopwatch.ts'
import { credentialHeaders } from '../../../src/webhooks/listener/credential-headers.ts'
import { openTarget } from '../../../src/webhooks/listener/target.ts'
import { allChecks, type Checked, torture } from '../../../src/webhooks/torture/torture.ts'
import { type Trial, TriedReceiver } from '../../../src/webhooks/torture/tried-receiver.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { standBackWithout } from '../../support/needs.ts'
import { after, answers, freePort, hangs, startRawServer } from '../../support/raw-server.ts'
import { type Mistake, PYTHON, startNodeReceiver, startPythonReceiver, WEBHOOK_KEY } from '../../support/receivers.ts'
import { until } from '../../support/until.ts'

interface Tried {
  readonly key?: string
  readonly only?: readonly string[]
  readonly limits?: Partial<Pick<Trial, 'answerWithinMs' | 'patienceMs' | 'endsAt'>>
  readonly env?: Readonly<Record<string, string>>
}

/** Tries a receiver; no answer is late because the machine is slow. */
async function tried(url: URL, { key = WEBHOOK_KEY, only, limits, env = {} }: Tried = {}): Promise<Checked[]> {
  const trial = { answerWithinMs: LIMIT_MS, patienceMs: LIMIT_MS, endsAt: Number.MAX_SAFE_INTEGER }
  // Not a spread: a limit may be a getter.
  Object.defineProperties(trial, Object.getOwnPropertyDescriptors(limits ?? {}))
  const target = await openTarget(url, env)
  try {
    const credentials = credentialHeaders(key === '' ? {} : { securityKey: key })
    const checks = allChecks(trial.answerWithinMs).filter(({ name }) => only?.includes(name) ?? true)
    const results: Checked[] = []
    for await (const one of torture(new TriedReceiver(Object.assign(trial, { target, credentials })), checks))
      results.push(one)
    return results
  } finally {
    await target.close()
  }
}

const failed = (results: readonly Checked[]) => results.filter(({ result }) => result === 'fail')
const namesOf = (results: readonly Checked[]) => results.map(({ check }) => check)

describe('a good receiver', () => {
  const expectGood = async ({ url, said }: Awaited<ReturnType<typeof startNodeReceiver>>) => {
    const results = await tried(url)
    expect(results.filter(({ result }) => result !== 'ok')).toEqual([])
    expect(namesOf(results)).toEqual(namesOf(allChecks(1).map(({ name }) => ({ check: name })) as Checked[]))
    for (const line of ['BOOKING_CREATED BK-1001', 'GIFTCARDS_REDEEMED GIFT2-00005025-AAAA', 'BOOKING_UPDATED BK-1030'])
      await until(() => said.stdout.includes(`${line}\n`))
    expect(said.stderr).toBe('')
  }

  test('in Node passes every check, and handles what it was sent', async () => {
    await expectGood(await startNodeReceiver())
  })

  test('in Python passes every check, and handles what it was sent', async (context) => {
    standBackWithout(context, PYTHON)
    await expectGood(await startPythonReceiver())
  })

  test('without a key is not asked for wrong credentials', async () => {
    const { url } = await startNodeReceiver(undefined, '')
    expect((await tried(url, { key: '' })).filter(({ result }) => result !== 'ok')).toMatchObject([
      { check: 'wrong-credentials', result: 'skipped', yours: 'not tried: it needs --security-key' },
    ])
  })
})

const OK = '    answer(200)\n'
const NO_KEY = '    if (!hasKey(request)) return answer(401)\n'
const NO_EVENT = '    if (event === null) return answer(400)\n'
const TOO_LARGE = '    if (body === null) return answer(413)\n'
const BEFORE_OK = '    // Keep it in your database before this line: what is answered with 2xx never comes again.\n'

/** Mistakes that people make, each the only one in a receiver that is good otherwise, and what the failed check says. */
const MISTAKES: Readonly<Record<string, Mistake & { readonly check: string; readonly yours: RegExp | string }>> = {
  'refuses what it has seen': {
    line: OK,
    instead: `
      const name = event.event + event.subject
      if ((globalThis.seen ??= new Set()).has(name)) return answer(409)
      globalThis.seen.add(name)
      answer(200)\n`,
    ...{ check: 'duplicate', yours: 'second: answered 409' },
  },
  'believes that a creation comes first': {
    line: OK,
    instead: `
      globalThis.updated ??= new Set()
      if (event.event === 'BOOKING_UPDATED') globalThis.updated.add(event.subject)
      if (event.event === 'BOOKING_CREATED' && globalThis.updated.has(event.subject)) return answer(422)
      answer(200)\n`,
    ...{ check: 'order', yours: 'creation: answered 422' },
  },
  'takes nothing that is old': {
    line: OK,
    instead: `
      if (Date.now() - Date.parse(request.headers.date) > 3_600_000) return answer(400)
      answer(200)\n`,
    ...{ check: 'late', yours: 'late event: answered 400' },
  },
  'handles one at a time, and turns away whoever comes meanwhile': {
    line: OK,
    instead: `
      if (globalThis.isBusy) return answer(503)
      globalThis.isBusy = true
      await new Promise((resolve) => setTimeout(resolve, 100))
      globalThis.isBusy = false
      answer(200)\n`,
    ...{ check: 'burst', yours: /^\d+ of 20: answered 503$/ },
  },
  'refuses events that it does not know': {
    line: OK,
    instead: `
      answer(/^(?:BOOKING_(?:CREATED|UPDATED)|GIFTCARDS_)/.test(event.event) ? 200 : 400)\n`,
    ...{ check: 'unknown-event', yours: 'answered 400' },
  },
  'fails on an event that is about neither': {
    ...{ line: BEFORE_OK, instead: '    if (!event.subject) return answer(500)\n' },
    ...{ check: 'unknown-event', yours: 'MENU_PUBLISHED: answered 500' },
  },
  'takes anything for an event': {
    ...{ line: NO_EVENT, instead: '    if (event === null) return answer(200)\n' },
    ...{ check: 'bad-json', yours: 'answered 200' },
  },
  'takes a list for an event': {
    ...{ line: ' || Array.isArray(value)', instead: '' },
    ...{ check: 'bad-json', yours: 'an array: answered 200' },
  },
  'fails on bad JSON': {
    ...{ line: NO_EVENT, instead: '    if (event === null) return answer(500)\n' },
    ...{ check: 'bad-json', yours: 'answered 500' },
  },
  'compares only a key that is there': {
    ...{ line: NO_KEY, instead: "    if (request.headers['x-security-key'] && !hasKey(request)) return answer(401)\n" },
    ...{ check: 'wrong-credentials', yours: 'an empty key, no key: answered 200' },
  },
  'compares the beginning of the key': {
    line: NO_KEY,
    instead: "    if (!(request.headers['x-security-key'] ?? '').startsWith(KEY.slice(0, -1))) return answer(401)\n",
    ...{ check: 'wrong-credentials', yours: 'its last character changed, one character more: answered 200' },
  },
  'says 400 to a stranger': {
    ...{ line: NO_KEY, instead: '    if (!hasKey(request)) return answer(400)\n' },
    ...{ check: 'wrong-credentials', yours: 'answered 400' },
  },
  'fails on a body that is too large': {
    ...{ line: TOO_LARGE, instead: '    if (body === null) return answer(500)\n' },
    ...{ check: 'huge-body', yours: 'answered 500' },
  },
  'drops whoever sends too much': {
    ...{ line: '    else chunks.length = 0\n', instead: '    else request.destroy()\n' },
    ...{ check: 'huge-body', yours: /the connection/ },
  },
  'takes the first piece for the whole body': {
    line: '  const chunks = []\n',
    instead: `  const chunks = []
      const length = Number(request.headers['content-length'])
      if (length > 0 && length < 10_000) return new Promise((resolve) => request.once('data', resolve))\n`,
    ...{ check: 'slow-body', yours: 'answered 400, before the body had come' },
  },
  'ends when a connection does': {
    ...{ line: '    response.destroy()\n', instead: '    process.exit(1)\n' },
    ...{ check: 'dropped-connection', yours: /listening|connection/ },
  },
  'does its work before it answers': {
    line: OK,
    instead: `
      if (event.event === 'GIFTCARDS_CANCELLED') await new Promise((resolve) => setTimeout(resolve, 1500))
      answer(200)\n`,
    ...{ check: 'answers-in-time', yours: /^\d+ of \d+ took longer; at most \d+ ms/ },
  },
  'does not take one of the events': {
    ...{ line: OK, instead: "    answer(event.event === 'GIFTCARDS_REDEEMED' ? 500 : 200)\n" },
    ...{ check: 'plain', yours: 'GIFTCARDS_REDEEMED: answered 500' },
  },
  'leads elsewhere': {
    ...{ line: OK, instead: "    response.writeHead(302, { location: 'https://till.example/hooks' }).end()\n" },
    ...{ check: 'plain', yours: 'answered 302, to https://till.example/hooks' },
  },
}

test('names the one mistake of each of many receivers, and nothing else', async () => {
  const found = Object.entries(MISTAKES).map(async ([what, { check: fails, yours: _, ...mistake }]) => {
    const { url } = await startNodeReceiver(mistake)
    // Only what waits on purpose is late, on a slow machine too.
    const limits = fails === 'answers-in-time' ? { answerWithinMs: 1000 } : {}
    return [what, failed(await tried(url, { limits })).map(({ check, yours }) => ({ check, yours }))]
  })
  const planted = Object.entries(MISTAKES).map(([what, { check, yours }]) => {
    return [what, [{ check, yours: typeof yours === 'string' ? yours : expect.stringMatching(yours) }]]
  })
  expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(planted))
})

describe('a receiver that falls silent', () => {
  test('is not blamed for it again: what comes after is skipped', async () => {
    const mistake = { line: '  } catch {\n    return null\n', instead: '  } catch {\n    process.exit(1)\n' }
    const { url } = await startNodeReceiver(mistake)
    const results = await tried(url, { only: ['late', 'bad-json', 'huge-body', 'answers-in-time'] })
    const found = results.map(({ check, result }) => `${check} ${result}`)
    expect(found).toEqual(['late ok', 'bad-json fail', 'huge-body skipped', 'answers-in-time skipped'])
    expect(results.at(-1)?.yours).toBe('not tried: since bad-json the receiver does not answer')
  })

  test('from the beginning fails the plain check alone, shown although others were asked for', async () => {
    const server = await startRawServer([hangs])
    expect(await tried(new URL(server.baseUrl), { only: ['late'], limits: { patienceMs: 2000 } })).toMatchObject([
      { check: 'plain', result: 'fail', yours: 'no complete response within 2s' },
      { check: 'late', result: 'skipped', yours: 'not tried: a plain delivery is not taken' },
    ])
    expect(server.requests).toHaveLength(1)
  })
})

test('a slow receiver is tried until the time is over; what was not tried is skipped, and the answers are judged', async () => {
  const receiver = await startRawServer([after(300, answers(200))])
  const only = ['plain', 'duplicate', 'order', 'late', 'bad-json', 'answers-in-time']
  const limits = {
    answerWithinMs: 200,
    // The time is over after the three deliveries of the first two checks.
    get endsAt() {
      return receiver.requests.length < 3 ? Number.MAX_SAFE_INTEGER : 0
    },
  }
  const results = await tried(new URL(receiver.baseUrl), { only, limits })
  expect(namesOf(results)).toEqual(only)
  expect(results.slice(2, 5).map(({ result }) => result)).toEqual(['skipped', 'skipped', 'skipped'])
  expect(results.at(-2)?.yours).toBe('not tried: the time is over')
  expect(results.at(-1)).toMatchObject({ result: 'fail', yours: expect.stringMatching(/took longer; at most \d+ ms/) })
  // The end stays ahead of the clock, as it does when the timer of a wait fires early.
  const short = {
    only: ['late'],
    limits: {
      get endsAt() {
        return monotonicMs() + 100
      },
    },
  }
  expect(await tried(new URL(receiver.baseUrl), short)).toMatchObject([
    { check: 'plain', result: 'skipped', yours: 'not finished: the time is over' },
    { check: 'late', result: 'skipped', yours: 'not tried: the time is over' },
  ])
})

test('a receiver that cannot be reached is an error, and no failed check', async () => {
  const port = await freePort()
  await expect(tried(new URL(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: `the receiver cannot be reached: nothing is listening at 127.0.0.1:${port}`,
  })
})

test('checks that need a connection of their own are left out behind a proxy', async () => {
  const proxy = await startRawServer([answers(200)])
  const options = { env: { HTTP_PROXY: proxy.baseUrl }, only: ['late', 'slow-body', 'dropped-connection'] }
  const results = await tried(new URL('http://till.invalid/hooks'), options)
  const yours = 'not tried: it needs a connection without a proxy, and the name "till.invalid" does not resolve'
  expect(results).toMatchObject([
    { check: 'late', result: 'ok' },
    { check: 'slow-body', result: 'skipped', yours: expect.stringContaining(yours) },
    { check: 'dropped-connection', result: 'skipped', yours: expect.stringContaining(yours) },
  ])
})

test('a check that was asked for alone runs alone, after a plain delivery', async () => {
  const { url } = await startNodeReceiver()
  expect(namesOf(await tried(url, { only: ['slow-body'] }))).toEqual(['slow-body'])
})
