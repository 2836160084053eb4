import { DAY_MS } from '../../base/time/units.ts'
import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { pause } from '../../http/client/retry.ts'
import { sample } from '../events/sample.ts'
import { answerText, type Check, type Finding, isSuccess, judge, type LabeledResult } from './check.ts'
import type { RawConnection } from './raw-connection.ts'
import type { ReceiverUnderTest } from './receiver-under-test.ts'

/** The size of a body that exceeds any event and the default limits of servers. */
const HUGE_BYTES = 2 * 1024 * 1024
/** The number of pieces in which a slow body is sent, with a pause before each. */
const PIECES = 6
const PAUSE_MS = 250
const NOTICE_MS = 100

type Sample = readonly [to: string, body: string, headers?: Readonly<Record<string, string | null>>]

/**
 * Sends deliveries one after the other. The finding refers to each delivery by its `to` label. Headers that are `null`
 * are omitted.
 */
export async function sendInTurn(receiver: ReceiverUnderTest, samples: readonly Sample[]): Promise<LabeledResult[]> {
  const answers: LabeledResult[] = []
  for (const [to, body, headers] of samples) answers.push([to, await receiver.send(body, headers)])
  return answers
}

function sequentialCheck(name: string, good: string, samples: () => readonly Sample[], isGood = isSuccess): Check {
  return { name, good, run: async (receiver) => judge(await sendInTurn(receiver, samples()), isGood) }
}

/** Checks that send a body that is too large, incomplete, too slow, or not an event. */
export const BODY_CHECKS: readonly Check[] = [
  sequentialCheck(
    'bad-json',
    '4xx to a body that is not a JSON object',
    () => [
      ['not JSON', 'eventType=BOOKING_UPDATED&bookingId=BK-1005'],
      ['truncated JSON', sample('BOOKING_UPDATED', 'BK-1005').slice(0, -10)],
      ['an array', `[${sample('BOOKING_UPDATED', 'BK-1005')}]`],
      ['an empty body', ''],
    ],
    (status) => status >= 400 && status < 500,
  ),
  sequentialCheck(
    'huge-body',
    `413 or 2xx to a body of ${HUGE_BYTES / 1024 / 1024} MiB`,
    () => [['', sample('BOOKING_UPDATED', 'BK-1006', { filler: 'x'.repeat(HUGE_BYTES) })]],
    (status) => isSuccess(status) || status === 413,
  ),
  {
    name: 'slow-body',
    good: `2xx to a body that takes ${(PIECES * PAUSE_MS) / 1000} s to arrive, or 408`,
    run: (receiver) => withRawConnection(receiver, slowBody),
  },
  {
    name: 'dropped-connection',
    good: '2xx to the next delivery after dropped connections',
    run: (receiver) => withRawConnection(receiver, droppedConnection),
  },
]

/** Runs a check that needs a raw connection. Skips it if the receiver is behind a proxy. */
async function withRawConnection(
  receiver: ReceiverUnderTest,
  run: (receiver: ReceiverUnderTest, first: RawConnection) => Promise<Finding>,
): Promise<Finding> {
  let first: RawConnection
  try {
    first = await receiver.connect()
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const sent = await receiver.send(sample('BOOKING_UPDATED', 'BK-1007'))
    if (sent.status === null) return { result: 'fail', yours: error.message }
    return { result: 'skipped', yours: `not tried: this check requires a direct connection, but ${error.message}` }
  }
  return run(receiver, first)
}

async function slowBody(receiver: ReceiverUnderTest, connection: RawConnection): Promise<Finding> {
  const { signal } = receiver.trial
  const body = sample('BOOKING_UPDATED', 'BK-1008')
  const length = Math.ceil(body.length / PIECES)
  let sentBytes = 0
  await connection.write(requestHead(receiver, body))
  while (sentBytes < body.length && !connection.isOver) {
    await pause(PAUSE_MS, { signal, now: Date.now })
    if (connection.isOver) break
    await connection.write(body.slice(sentBytes, sentBytes + length))
    sentBytes += length
  }
  const sent = await receiver.within(connection.answer)
  if (sent.status === 408) return { result: 'ok', yours: answerText(sent) }
  if (sentBytes >= body.length) return judge([['', sent]], isSuccess)
  return { result: 'fail', yours: `${answerText(sent)} before the whole body was sent` }
}

async function droppedConnection(receiver: ReceiverUnderTest, first: RawConnection): Promise<Finding> {
  const body = sample('BOOKING_UPDATED', 'BK-1009')
  const head = requestHead(receiver, body)
  const whole = head + body
  const ends = [
    [whole.slice(0, head.length + body.length / 2), 'close'],
    [whole.slice(0, head.length + body.length / 2), 'reset'],
    [head, 'reset'],
    [head.slice(0, head.length / 2), 'close'],
  ] as const
  for (const [index, [text, how]] of ends.entries()) {
    const connection = index === 0 ? first : await receiver.connect().catch(ignoreNetworkError)
    await connection?.write(text)
    // Pause, so that the receiver reads the data before the connection ends.
    await pause(NOTICE_MS, { signal: receiver.trial.signal, now: Date.now })
    connection?.drop(how)
  }
  await pause(NOTICE_MS, { signal: receiver.trial.signal, now: Date.now })
  return judge([['', await receiver.send(sample('BOOKING_UPDATED', 'BK-1009'))]], isSuccess)
}

/** Ignores connection errors, because the check's last delivery shows whether the receiver has recovered. */
function ignoreNetworkError(error: unknown): null {
  if (error instanceof NetworkError) return null
  throw error
}

function requestHead({ trial, headers }: ReceiverUnderTest, body: string): string {
  const { host, pathname, search } = trial.target.url
  const lines = Object.entries({ host, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `POST ${pathname}${search} HTTP/1.1\r\n${text}connection: close\r\n\r\n`
}

// Each check uses different bookings and cards, because a receiver may remember those from other checks.

const BURST = 20
const LATE_CARD = 'GIFT2-00005025-AAAA'

/** Sends each documented event. If a receiver fails this check, no other checks run. */
export const plainCheck: Check = {
  name: 'plain',
  good: '2xx to each documented event',
  run: async (receiver) => {
    const answers: LabeledResult[] = []
    for (const event of WEBHOOK_EVENTS) {
      const sent = await receiver.send(sample(event))
      answers.push([event, sent])
      if (sent.status === null) break
    }
    return judge(answers, isSuccess)
  },
}

/** Checks with unusual deliveries that the service might send. */
export const DELIVERY_CHECKS: readonly Check[] = [
  sequentialCheck('duplicate', '2xx to the repeated delivery as well (idempotence itself cannot be observed)', () => [
    ['first', sample('BOOKING_UPDATED', 'BK-1002')],
    ['second', sample('BOOKING_UPDATED', 'BK-1002')],
  ]),
  sequentialCheck('order', '2xx to an update, and to the creation that arrives after it', () => [
    ['update', sample('BOOKING_UPDATED', 'BK-1003')],
    ['creation', sample('BOOKING_CREATED', 'BK-1003')],
  ]),
  sequentialCheck('late', '2xx to a day-old event for a card that has since been cancelled', () => [
    ['cancellation', sample('GIFTCARDS_CANCELLED', LATE_CARD)],
    ['late event', sample('GIFTCARDS_REDEEMED', LATE_CARD), { date: new Date(Date.now() - DAY_MS).toUTCString() }],
  ]),
  {
    name: 'burst',
    good: `2xx to each of ${BURST} simultaneous deliveries`,
    run: async (receiver) => {
      const ids = Array.from({ length: BURST }, (_, index) => `BK-${1011 + index}`)
      const sent = await Promise.all(ids.map((id) => receiver.send(sample('BOOKING_UPDATED', id))))
      const answers = sent.map((one): LabeledResult => ['', one])
      return judge(answers, isSuccess)
    },
  },
  sequentialCheck('unknown-event', '2xx to unknown events', () => [
    ['BOOKING_ARCHIVED', '{"eventType":"BOOKING_ARCHIVED","data":{"bookingId":"BK-1004","by":"TILL-1"}}'],
    ['MENU_PUBLISHED', '{"eventType":"MENU_PUBLISHED","data":{"menuId":"M-1"}}'],
  ]),
]

/** Checks that the responses in all other checks arrived in time. */
export const answersInTime = (answerWithinMs: number): Check => ({
  name: 'answers-in-time',
  good: `a response to every delivery within ${answerWithinMs / 1000} s`,
  sendsNothing: true,
  run: async ({ answers }: ReceiverUnderTest) => {
    const [slowest] = answers.toSorted((a, b) => b.ms - a.ms)
    const late = answers.filter(({ ms }) => ms > answerWithinMs)
    const yours = slowest ? `at most ${slowest.ms} ms (${slowest.during})` : 'no answer'
    return late.length === 0
      ? { result: 'ok', yours }
      : { result: 'fail', yours: `${late.length} of ${answers.length} took longer; ${yours}` }
  },
})
