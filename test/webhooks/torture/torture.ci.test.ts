import { describe, expect, test } from 'vitest'
import { monotonicMs } from '../../../src/base/stopwatch.ts'
import { credentialHeaders } from '../../../src/webhooks/listener/credential-headers.ts'
import { openTarget } from '../../../src/webhooks/listener/target.ts'
import { ReceiverUnderTest, type Trial } from '../../../src/webhooks/torture/receiver-under-test.ts'
import { allChecks, type CheckResult, torture } from '../../../src/webhooks/torture/torture.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { skipWithout } from '../../support/needs.ts'
import { after, answers, freePort, hangs, startRawServer } from '../../support/raw-server.ts'
import { type Mistake, PYTHON, startNodeReceiver, startPythonReceiver, WEBHOOK_KEY } from '../../support/receivers.ts'
import { until } from '../../support/until.ts'

interface Tried {
  readonly key?: string
  readonly only?: readonly string[]
  readonly limits?: Partial<Pick<Trial, 'answerWithinMs' | 'patienceMs' | 'endsAt'>>
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs the checks against a receiver. The limits are so high that no response is late just because the machine is slow.
 */
async function tried(url: URL, { key = WEBHOOK_KEY, only, limits, env = {} }: Tried = {}): Promise<CheckResult[]> {
  const trial = { answerWithinMs: LIMIT_MS, patienceMs: LIMIT_MS, endsAt: Number.MAX_SAFE_INTEGER }
  // Copy the property descriptors, because a spread would replace the getters in `limits` with their current values.
  Object.defineProperties(trial, Object.getOwnPropertyDescriptors(limits ?? {}))
  const target = await openTarget(url, env)
  try {
    const credentials = credentialHeaders(key === '' ? {} : { securityKey: key })
    const checks = allChecks(trial.answerWithinMs).filter(({ name }) => only?.includes(name) ?? true)
    const results: CheckResult[] = []
    for await (const one of torture(new ReceiverUnderTest(Object.assign(trial, { target, credentials })), checks))
      results.push(one)
    return results
  } finally {
    await target.close()
  }
}

const failed = (results: readonly CheckResult[]) => results.filter(({ result }) => result === 'fail')
const namesOf = (results: readonly CheckResult[]) => results.map(({ check }) => check)

describe('the example receivers', () => {
  const expectGood = async ({ url, said }: Awaited<ReturnType<typeof startNodeReceiver>>) => {
    const results = await tried(url)
    expect(results.filter(({ result }) => result !== 'ok')).toEqual([])
    expect(namesOf(results)).toEqual(namesOf(allChecks(1).map(({ name }) => ({ check: name })) as CheckResult[]))
    for (const line of ['BOOKING_CREATED BK-1001', 'GIFTCARDS_REDEEMED GIFT2-00005025-AAAA', 'BOOKING_UPDATED BK-1030'])
      await until(() => said.stdout.includes(`${line}\n`))
    expect(said.stderr).toBe('')
  }

  test('the Node receiver passes every check and handles every event that it was sent', async () => {
    await expectGood(await startNodeReceiver())
  })

  test('the Python receiver passes every check and handles every event that it was sent', async (context) => {
    skipWithout(context, PYTHON)
    await expectGood(await startPythonReceiver())
  })

  test('torture skips the check for wrong credentials if no key is given', async () => {
    const { url } = await startNodeReceiver(undefined, '')
    expect((await tried(url, { key: '' })).filter(({ result }) => result !== 'ok')).toMatchObject([
      { check: 'wrong-credentials', result: 'skipped', yours: 'not tried: requires --security-key' },
    ])
  })
})

const OK = '    answer(200)\n'
const NO_KEY = '    if (!hasKey(request)) return answer(401)\n'
const NO_EVENT = '    if (event === null) return answer(400)\n'
const TOO_LARGE = '    if (body === null) return answer(413)\n'
const BEFORE_OK =
  '    // Store the event in your database before the response: after a 2xx, the service does not send it again.\n'

/** Typical mistakes to plant in a correct receiver, one at a time, each with the report of the check that fails. */
const MISTAKES: Readonly<Record<string, Mistake & { readonly check: string; readonly yours: RegExp | string }>> = {
  'rejects an event that it has seen before': {
    line: OK,
    replacement: `
      const name = event.event + event.subject
      if ((globalThis.seen ??= new Set()).has(name)) return answer(409)
      globalThis.seen.add(name)
      answer(200)\n`,
    ...{ check: 'duplicate', yours: 'second: answered 409' },
  },
  'assumes that a creation arrives first': {
    line: OK,
    replacement: `
      globalThis.updated ??= new Set()
      if (event.event === 'BOOKING_UPDATED') globalThis.updated.add(event.subject)
      if (event.event === 'BOOKING_CREATED' && globalThis.updated.has(event.subject)) return answer(422)
      answer(200)\n`,
    ...{ check: 'order', yours: 'creation: answered 422' },
  },
  'rejects old events': {
    line: OK,
    replacement: `
      if (Date.now() - Date.parse(request.headers.date) > 3_600_000) return answer(400)
      answer(200)\n`,
    ...{ check: 'late', yours: 'late event: answered 400' },
  },
  'handles one delivery at a time, and rejects others meanwhile': {
    line: OK,
    replacement: `
      if (globalThis.isBusy) return answer(503)
      globalThis.isBusy = true
      await new Promise((resolve) => setTimeout(resolve, 100))
      globalThis.isBusy = false
      answer(200)\n`,
    ...{ check: 'burst', yours: /^\d+ of 20: answered 503$/ },
  },
  'rejects unknown events': {
    line: OK,
    replacement: `
      answer(/^(?:BOOKING_(?:CREATED|UPDATED)|GIFTCARDS_)/.test(event.event) ? 200 : 400)\n`,
    ...{ check: 'unknown-event', yours: 'answered 400' },
  },
  'fails on an event that is about neither a booking nor a card': {
    ...{ line: BEFORE_OK, replacement: '    if (!event.subject) return answer(500)\n' },
    ...{ check: 'unknown-event', yours: 'MENU_PUBLISHED: answered 500' },
  },
  'accepts anything as an event': {
    ...{ line: NO_EVENT, replacement: '    if (event === null) return answer(200)\n' },
    ...{ check: 'bad-json', yours: 'answered 200' },
  },
  'accepts a list as an event': {
    ...{ line: ' || Array.isArray(value)', replacement: '' },
    ...{ check: 'bad-json', yours: 'an array: answered 200' },
  },
  'fails on bad JSON': {
    ...{ line: NO_EVENT, replacement: '    if (event === null) return answer(500)\n' },
    ...{ check: 'bad-json', yours: 'answered 500' },
  },
  'checks the key only if there is one': {
    ...{
      line: NO_KEY,
      replacement: "    if (request.headers['x-security-key'] && !hasKey(request)) return answer(401)\n",
    },
    ...{ check: 'wrong-credentials', yours: 'an empty key, no key: answered 200' },
  },
  'compares only the beginning of the key': {
    line: NO_KEY,
    replacement:
      "    if (!(request.headers['x-security-key'] ?? '').startsWith(KEY.slice(0, -1))) return answer(401)\n",
    ...{
      check: 'wrong-credentials',
      yours: 'a key with a different last character, a key with an extra character: answered 200',
    },
  },
  'responds with 400 without a valid key': {
    ...{ line: NO_KEY, replacement: '    if (!hasKey(request)) return answer(400)\n' },
    ...{ check: 'wrong-credentials', yours: 'answered 400' },
  },
  'fails on a body that is too large': {
    ...{ line: TOO_LARGE, replacement: '    if (body === null) return answer(500)\n' },
    ...{ check: 'huge-body', yours: 'answered 500' },
  },
  'drops the connection if a body is too large': {
    ...{ line: '    else chunks.length = 0\n', replacement: '    else request.destroy()\n' },
    ...{ check: 'huge-body', yours: /the connection/ },
  },
  'treats the first piece as the whole body': {
    line: '  const chunks = []\n',
    replacement: `  const chunks = []
      const length = Number(request.headers['content-length'])
      if (length > 0 && length < 10_000) return new Promise((resolve) => request.once('data', resolve))\n`,
    ...{ check: 'slow-body', yours: 'answered 400 before the whole body was sent' },
  },
  'exits when a connection is dropped': {
    ...{ line: '    response.destroy()\n', replacement: '    process.exit(1)\n' },
    ...{ check: 'dropped-connection', yours: /listening|connection/ },
  },
  'does slow work before it responds': {
    line: OK,
    replacement: `
      if (event.event === 'GIFTCARDS_CANCELLED') await new Promise((resolve) => setTimeout(resolve, 1500))
      answer(200)\n`,
    ...{ check: 'answers-in-time', yours: /^\d+ of \d+ took longer; at most \d+ ms/ },
  },
  'does not accept one of the events': {
    ...{ line: OK, replacement: "    answer(event.event === 'GIFTCARDS_REDEEMED' ? 500 : 200)\n" },
    ...{ check: 'plain', yours: 'GIFTCARDS_REDEEMED: answered 500' },
  },
  'redirects to another URL': {
    ...{ line: OK, replacement: "    response.writeHead(302, { location: 'https://till.example/hooks' }).end()\n" },
    ...{ check: 'plain', yours: 'answered 302, redirecting to https://till.example/hooks' },
  },
}

test('torture finds exactly the mistake that was planted in each receiver', async () => {
  const found = Object.entries(MISTAKES).map(async ([what, { check: fails, yours: _, ...mistake }]) => {
    const { url } = await startNodeReceiver(mistake)
    // Use a short limit only for the receiver that is slow on purpose. On a slow machine, others might exceed it too.
    const limits = fails === 'answers-in-time' ? { answerWithinMs: 1000 } : {}
    return [what, failed(await tried(url, { limits })).map(({ check, yours }) => ({ check, yours }))]
  })
  const planted = Object.entries(MISTAKES).map(([what, { check, yours }]) => {
    return [what, [{ check, yours: typeof yours === 'string' ? yours : expect.stringMatching(yours) }]]
  })
  expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(planted))
})

describe('receivers that stop responding', () => {
  test('torture skips the remaining checks when a receiver has stopped responding', async () => {
    const mistake = { line: '  } catch {\n    return null\n', replacement: '  } catch {\n    process.exit(1)\n' }
    const { url } = await startNodeReceiver(mistake)
    const results = await tried(url, { only: ['late', 'bad-json', 'huge-body', 'answers-in-time'] })
    const found = results.map(({ check, result }) => `${check} ${result}`)
    expect(found).toEqual(['late ok', 'bad-json fail', 'huge-body skipped', 'answers-in-time skipped'])
    expect(results.at(-1)?.yours).toBe('not tried: the receiver stopped responding during bad-json')
  })

  test('if a receiver never responds, torture reports a failed plain check and skips the requested checks', async () => {
    const server = await startRawServer([hangs])
    expect(await tried(new URL(server.baseUrl), { only: ['late'], limits: { patienceMs: 2000 } })).toMatchObject([
      { check: 'plain', result: 'fail', yours: 'no complete response within 2s' },
      { check: 'late', result: 'skipped', yours: 'not tried: the receiver does not accept a plain delivery' },
    ])
    expect(server.requests).toHaveLength(1)
  })
})

test('torture skips checks once its time is up but still reports the response times of a slow receiver', async () => {
  const receiver = await startRawServer([after(300, answers(200))])
  const only = ['plain', 'duplicate', 'order', 'late', 'bad-json', 'answers-in-time']
  const limits = {
    answerWithinMs: 200,
    // Time runs out after the first two checks, which make three deliveries.
    get endsAt() {
      return receiver.requests.length < 3 ? Number.MAX_SAFE_INTEGER : 0
    },
  }
  const results = await tried(new URL(receiver.baseUrl), { only, limits })
  expect(namesOf(results)).toEqual(only)
  expect(results.slice(2, 5).map(({ result }) => result)).toEqual(['skipped', 'skipped', 'skipped'])
  expect(results.at(-2)?.yours).toBe('not tried: time is up')
  expect(results.at(-1)).toMatchObject({ result: 'fail', yours: expect.stringMatching(/took longer; at most \d+ ms/) })
  // This deadline is always 100 ms in the future, as if the timer had fired too early.
  const short = {
    only: ['late'],
    limits: {
      get endsAt() {
        return monotonicMs() + 100
      },
    },
  }
  expect(await tried(new URL(receiver.baseUrl), short)).toMatchObject([
    { check: 'plain', result: 'skipped', yours: 'not finished: time is up' },
    { check: 'late', result: 'skipped', yours: 'not tried: time is up' },
  ])
})

test('torture reports an unreachable receiver as an error instead of a failed check', async () => {
  const port = await freePort()
  await expect(tried(new URL(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: `the receiver cannot be reached: nothing is listening at 127.0.0.1:${port}`,
  })
})

test('torture skips the checks that need a raw connection if the receiver is behind a proxy', async () => {
  const proxy = await startRawServer([answers(200)])
  const options = { env: { HTTP_PROXY: proxy.baseUrl }, only: ['late', 'slow-body', 'dropped-connection'] }
  const results = await tried(new URL('http://till.invalid/hooks'), options)
  const yours = 'not tried: this check requires a direct connection, but the name "till.invalid" does not resolve'
  expect(results).toMatchObject([
    { check: 'late', result: 'ok' },
    { check: 'slow-body', result: 'skipped', yours: expect.stringContaining(yours) },
    { check: 'dropped-connection', result: 'skipped', yours: expect.stringContaining(yours) },
  ])
})

test('if only one check is requested, torture reports only that check and omits the plain delivery that precedes it', async () => {
  const { url } = await startNodeReceiver()
  expect(namesOf(await tried(url, { only: ['slow-body'] }))).toEqual(['slow-body'])
})
