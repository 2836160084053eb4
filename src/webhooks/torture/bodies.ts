import { NetworkError } from '../../http/client/errors.ts'
import { pause } from '../../http/client/retry.ts'
import { sampleEvent } from '../events/sample.ts'
import { type Answered, answerText, type Check, type Finding, isSuccess, judged } from './check.ts'
import type { RawConnection } from './raw-connection.ts'
import type { TriedReceiver } from './tried-receiver.ts'

/** Bytes of the huge body: more than any event has, and than servers take by default. */
const HUGE_BYTES = 2 * 1024 * 1024

/** A slow body comes in so many pieces, with this pause before each. */
const PIECES = 6
const PAUSE_MS = 250

/** How long a receiver has to notice that a connection is gone. */
const NOTICE_MS = 100

/** Bodies that are no event, too large, too slow, or never whole. */
export const BODY_CHECKS: readonly Check[] = [
  {
    name: 'bad-json',
    good: '4xx to a body that is no JSON object',
    run: async (receiver) => {
      const answers: Answered[] = []
      for (const [to, body] of BAD_BODIES) answers.push([to, await receiver.send(body)])
      return judged(answers, (status) => status >= 400 && status < 500)
    },
  },
  {
    name: 'huge-body',
    good: `413 or 2xx to a body of ${HUGE_BYTES / 1024 / 1024} MiB`,
    run: async (receiver) => {
      const body = JSON.stringify({ ...sampleEvent('BOOKING_UPDATED', 'BK-1006'), filler: 'x'.repeat(HUGE_BYTES) })
      const sent = await receiver.send(body)
      return judged([['', sent]], (status) => isSuccess(status) || status === 413)
    },
  },
  {
    name: 'slow-body',
    good: `2xx to a body that takes ${(PIECES * PAUSE_MS) / 1000} s to come, or 408`,
    run: (receiver) => raw(receiver, slowBody),
  },
  {
    name: 'dropped-connection',
    good: '2xx to the next delivery after connections broke off',
    run: (receiver) => raw(receiver, droppedConnection),
  },
]

const WHOLE = JSON.stringify(sampleEvent('BOOKING_UPDATED', 'BK-1005'))

const BAD_BODIES = [
  ['not JSON', 'eventType=BOOKING_UPDATED&bookingId=BK-1005'],
  ['cut JSON', WHOLE.slice(0, -10)],
  ['an array', `[${WHOLE}]`],
  ['an empty body', ''],
] as const

/** Runs a check that needs a connection of its own, unless only a proxy leads to the receiver. */
async function raw(
  receiver: TriedReceiver,
  run: (receiver: TriedReceiver, first: RawConnection) => Promise<Finding>,
): Promise<Finding> {
  let first: RawConnection
  try {
    first = await receiver.connect()
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const sent = await receiver.sample('BOOKING_UPDATED', 'BK-1007')
    if (sent.status === null) return { result: 'fail', yours: error.message }
    return { result: 'skipped', yours: `not tried: it needs a connection without a proxy, and ${error.message}` }
  }
  return run(receiver, first)
}

async function slowBody(receiver: TriedReceiver, connection: RawConnection): Promise<Finding> {
  const { signal } = receiver.trial
  const body = JSON.stringify(sampleEvent('BOOKING_UPDATED', 'BK-1008'))
  const length = Math.ceil(body.length / PIECES)
  let sentBytes = 0
  await connection.write(headOf(receiver, body))
  while (sentBytes < body.length && !connection.isOver) {
    await pause(PAUSE_MS, { signal, now: Date.now })
    if (connection.isOver) break
    await connection.write(body.slice(sentBytes, sentBytes + length))
    sentBytes += length
  }
  const sent = receiver.note(await connection.answer(receiver.patienceMs))
  if (sent.status === 408) return { result: 'ok', yours: answerText(sent) }
  const isWhole = sentBytes >= body.length
  if (isWhole) return judged([['', sent]], isSuccess)
  return { result: 'fail', yours: `${answerText(sent)}, before the body had come` }
}

async function droppedConnection(receiver: TriedReceiver, first: RawConnection): Promise<Finding> {
  const body = JSON.stringify(sampleEvent('BOOKING_UPDATED', 'BK-1009'))
  const head = headOf(receiver, body)
  const whole = head + body
  const ends = [
    [whole.slice(0, head.length + body.length / 2), 'close'],
    [whole.slice(0, head.length + body.length / 2), 'reset'],
    [head, 'reset'],
    [head.slice(0, head.length / 2), 'close'],
  ] as const
  for (const [index, [text, how]] of ends.entries()) {
    const connection = index === 0 ? first : await receiver.connect().catch(stillUnreachable)
    await connection?.write(text)
    // What comes with its own end may never be read.
    await pause(NOTICE_MS, { signal: receiver.trial.signal, now: Date.now })
    connection?.drop(how)
  }
  await pause(NOTICE_MS, { signal: receiver.trial.signal, now: Date.now })
  return judged([['', await receiver.sample('BOOKING_UPDATED', 'BK-1009')]], isSuccess)
}

/** What this means for the receiver, the delivery at the end says. */
function stillUnreachable(error: unknown): null {
  if (error instanceof NetworkError) return null
  throw error
}

function headOf({ trial, headers }: TriedReceiver, body: string): string {
  const { host, pathname, search } = trial.target.url
  const lines = Object.entries({ host, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `POST ${pathname}${search} HTTP/1.1\r\n${text}connection: close\r\n\r\n`
}
