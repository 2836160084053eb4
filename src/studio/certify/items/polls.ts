import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import { setDate } from '../../../sandbox/app/date.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import type { Bench } from '../bench/bench.ts'
import type { Item } from '../certify.ts'

/** Long enough to tell two moments apart. Milliseconds. */
const APART_MS = 30

/** Each poll is a process. Changes happen between polls, during an answer, and before a poll that is killed. */
export const pollsWithoutGaps: Item = {
  id: 'polls-without-gaps',
  name: 'Polls without gaps, over a restart',
  mend: 'Keep the upper bound that the poll asked for as the next lower bound, on disk, and only once the copy is written: not the time at which the answer came, and not before it.',
  check: async (bench) => {
    const { venue } = bench
    const [between, onTheWay, killed] = [await venue.book(2), await venue.book(2), await venue.book(2)]
    if (!(await bench.must({ do: 'poll' }))) return
    const changes: { readonly bookingId: string; readonly people: number; readonly when: string }[] = []
    const change = async (bookingId: string, people: number, when: string) => {
      await venue.resize(bookingId, people)
      changes.push({ bookingId, people, when })
      bench.note('change', `booking ${bookingId} is for ${people} (${when})`)
      await delay(APART_MS)
    }
    await change(between, 3, 'changed between two polls')
    const added = await venue.book(4)
    changes.push({ bookingId: added, people: 4, when: 'made between two polls' })
    bench.note('change', `booking ${added} is made`)
    await delay(APART_MS)
    duringTheAnswer(bench, () => change(onTheWay, 5, 'changed while a poll was getting its answer'))
    if (!(await bench.must({ do: 'poll' }))) return
    bench.wire.letPass()
    if (!(await bench.must({ do: 'poll' }))) return
    await change(killed, 6, 'changed before a poll that was killed')
    await killInThePoll(bench)
    if (!(await bench.must({ do: 'poll' }))) return
    const missing = () => {
      const { copy } = bench
      return changes.filter(({ bookingId, people }) => copy.get(bookingId)?.['people'] !== people)
    }
    for (const { bookingId, when } of await bench.pollUntil(missing))
      bench.finding(`the copy does not have what became of booking ${bookingId}, which was ${when}`)
  },
}

/** Runs `happen` after the answer to a poll is made and before it arrives. */
function duringTheAnswer({ wire }: Bench, happen: () => Promise<void>): void {
  wire.changeList = async (reply, madeAt) => {
    wire.letPass()
    await delay(APART_MS)
    await happen()
    // The Date says when the answer was made, despite the delay.
    return setDate(reply, madeAt)
  }
}

async function killInThePoll(bench: Bench): Promise<void> {
  const line = { do: 'poll' } as const
  const child = bench.begin(line)
  bench.wire.answerInstead('GET', '/Bookings', async () => {
    child.kill('SIGKILL')
    await child.ended
    return conclude(new ConnectionFault('close'), 'the poll was killed')
  })
  await bench.finish(child, line)
  bench.wire.letPass()
}
