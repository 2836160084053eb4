// Writes a listener's journal with a simulated clock. Usage: closing-process.ts JOURNAL LOG FIRST DAYS
//
// Stores numbered deliveries, three a day, starting with number FIRST, and keeps them for two days. Each line of LOG
// contains the number of a delivery and its state: `stored` is logged after the delivery is stored, and `handled`
// before it is marked as handled. Every fourth delivery is not handled. The clock starts on the day of the first
// delivery.
import { appendFileSync } from 'node:fs'
import { openDeliveryJournal } from '../../../../src/webhooks/events/journal/delivery-journal.ts'
import { PER_DAY, timeOf } from './closing-time.ts'

const [path = '', log = '', first = '', days = ''] = process.argv.slice(2)
let nowMs = timeOf(Number(first))
const note = (number: number, what: string) => appendFileSync(log, `${number} ${what}\n`)
const report = (line: string) => void process.stderr.write(`${line}\n`)
const journal = await openDeliveryJournal(path, {
  onDelivery: () => {},
  keeping: { keepMs: 2 * 86_400_000, now: () => nowMs, report },
  report,
})
const last = Number(first) + Number(days) * PER_DAY
for (let number = Number(first); number < last; number++) {
  nowMs = timeOf(number)
  const settle = await journal.append({ timeMs: nowMs, headers: {}, body: Buffer.from(`${number}`), verdict: 'new' })
  note(number, 'stored')
  if (number % 4 !== 0) note(number, 'handled')
  await settle(number % 4 !== 0)
  if (number % PER_DAY === 0) await journal.tidy()
}
await journal.tidy()
await journal.close()
process.exit(0)
