import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import { setDate } from '../../../sandbox/app/date.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import type { Bench } from '../bench/bench.ts'
import type { Item } from '../certify.ts'

/** The delay after each change, in milliseconds. It ensures that no two events have the same time. */
const APART_MS = 30

/**
 * Polls several times, each time in a new process. Bookings change between polls, while a response is being sent, and
 * before a poll that is killed.
 */
export const pollsWithoutGaps: Item = {
  id: 'polls-without-gaps',
  name: 'Polls without gaps, even after a restart',
  mend: 'After writing the copy, store the upper time bound of the poll on disk, and use it as the lower bound of the next poll. Do not store it before the copy is complete, and do not replace it with the time when the response arrived.',
  check: async (bench) => {
    const { venue } = bench
    const [between, onTheWay, killed] = [await venue.book(2), await venue.book(2), await venue.book(2)]
    if (!(await bench.mustSucceed({ do: 'poll' }))) return
    const changes: { readonly bookingId: string; readonly people: number; readonly when: string }[] = []
    const change = async (bookingId: string, people: number, when: string) => {
      await venue.resize(bookingId, people)
      changes.push({ bookingId, people, when })
      bench.note('change', `booking ${bookingId} is now for ${people} guests (${when})`)
      await delay(APART_MS)
    }
    await change(between, 3, 'changed between two polls')
    const added = await venue.book(4)
    changes.push({ bookingId: added, people: 4, when: 'created between two polls' })
    bench.note('change', `booking ${added} is created`)
    await delay(APART_MS)
    runDuringResponse(bench, () => change(onTheWay, 5, 'changed while a poll was receiving its response'))
    if (!(await bench.mustSucceed({ do: 'poll' }))) return
    bench.wire.stopIntercepting()
    if (!(await bench.mustSucceed({ do: 'poll' }))) return
    await change(killed, 6, 'changed before a poll that was killed')
    await killDuringPoll(bench)
    if (!(await bench.mustSucceed({ do: 'poll' }))) return
    const missing = () => {
      const { copy } = bench
      return changes.filter(({ bookingId, people }) => copy.get(bookingId)?.['people'] !== people)
    }
    for (const { bookingId, when } of await bench.pollUntil(missing))
      bench.finding(`the copy does not have the latest state of booking ${bookingId}; the booking was ${when}`)
  },
}

/** Runs `happen` after the service has created its response to a poll, but before it sends the response. */
function runDuringResponse({ wire }: Bench, happen: () => Promise<void>): void {
  wire.changeList = async (reply, madeAt) => {
    wire.stopIntercepting()
    await delay(APART_MS)
    await happen()
    // Despite the delay, the Date header must state when the response was created.
    return setDate(reply, madeAt)
  }
}

async function killDuringPoll(bench: Bench): Promise<void> {
  const line = { do: 'poll' } as const
  const child = bench.startStep(line)
  bench.wire.intercept('GET', '/Bookings', async () => {
    child.kill('SIGKILL')
    await child.ended
    return conclude(new ConnectionFault('close'), 'the poll was killed')
  })
  await bench.finish(child, line)
  bench.wire.stopIntercepting()
}
