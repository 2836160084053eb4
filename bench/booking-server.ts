import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A separate process that serves very many bookings: `node bench/booking-server.ts COUNT FILE`, started by
// bench/sync.ts. FILE has one template booking per line. The server copies the templates' bytes and writes IDs, guests
// and times into the copies, which costs less than parsing does in any client. Changes are spread evenly over three
// years. The response to any GET contains the bookings changed from UpdatedFromDate to UpdatedToDate, inclusive. The
// process sends its port to its parent, and answers each message with the number of requests since the previous one.

const count = Number(process.argv[2])
const FIRST_MS = Date.UTC(2023, 9, 1)
const SPAN_MS = 3 * 365 * 86_400_000
const STEP_MS = Math.floor(SPAN_MS / count)
const DAY_MS = 86_400_000

const ID = 'BK-00000000'
const GUEST = 'C-000000'
const CHANGED = '2000-01-01T00:00:00.001Z'
const TIME = '2000-01-01T00:00:02'

interface Form {
  readonly start: number
  readonly end: number
  readonly id: number
  readonly changed: number
  readonly time: number
  readonly guest: number
}

const forms: Form[] = []
const block = Buffer.concat(
  readFileSync(process.argv[3] ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const booking = JSON.parse(line)
      const customer = { ...booking.customer, id: GUEST }
      const text = { ...booking, bookingId: ID, bookingTime: TIME, lastModifiedDate: CHANGED, customer }
      return Buffer.from(`,${JSON.stringify(text)}`)
    })
    .map((bytes, index, all) => {
      const start = all.slice(0, index).reduce((sum, { length }) => sum + length, 0)
      const at = (text: string) => start + bytes.indexOf(text)
      const [id, changed, time, guest] = [at(ID) + 3, at(CHANGED), at(TIME), at(GUEST) + 2]
      forms.push({ start, end: start + bytes.length, id, changed, time, guest })
      return bytes
    }),
)

const dates = new Map<number, string>()
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 10)
    dates.set(day, date)
  }
  return date
}

function digits(bytes: Buffer, at: number, length: number, value: number): void {
  let rest = value
  for (let place = at + length - 1; place >= at; place--) {
    bytes[place] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
}

/**
 * Returns the bookings from index `from` up to, but not including, `to`, each after a comma. The range must be within
 * one block.
 */
function bookings(from: number, to: number): Buffer {
  const bytes = Buffer.from(block)
  const base = from - (from % forms.length)
  for (let index = from; index < to; index++) {
    const form = forms[index - base] as Form
    const changedMs = FIRST_MS + index * STEP_MS
    const day = Math.floor(changedMs / DAY_MS)
    const ms = changedMs - day * DAY_MS
    digits(bytes, form.id, 8, index)
    bytes.write(dateOf(day), form.changed, 'latin1')
    digits(bytes, form.changed + 11, 2, Math.floor(ms / 3_600_000))
    digits(bytes, form.changed + 14, 2, Math.floor(ms / 60_000) % 60)
    digits(bytes, form.changed + 17, 2, Math.floor(ms / 1000) % 60)
    digits(bytes, form.changed + 20, 3, ms % 1000)
    bytes.write(dateOf(day - 30 + ((index * 7919) % 60)), form.time, 'latin1')
    digits(bytes, form.time + 11, 2, 17 + (index % 5))
    digits(bytes, form.time + 14, 2, (index % 4) * 15)
    digits(bytes, form.time + 17, 2, 0)
    digits(bytes, form.guest, 6, (index * 7919) % 250_000)
  }
  return bytes.subarray(forms[from - base]?.start, forms[to - 1 - base]?.end)
}

function answer(response: ServerResponse, from: number, to: number): void {
  response.setHeader('content-type', 'application/json')
  response.write(`{"count":${Math.max(0, to - from)},"bookings":[`)
  let index = from
  const more = () => {
    let room = true
    while (room && index < to) {
      const end = Math.min(index - (index % forms.length) + forms.length, to)
      const bytes = bookings(index, end)
      room = response.write(index === from ? bytes.subarray(1) : bytes)
      index = end
    }
    if (index < to) response.once('drain', more)
    else response.end(']}')
  }
  more()
}

let requests = 0
const server = createServer((request, response) => {
  requests++
  const asked = new URL(request.url ?? '/', 'http://localhost').searchParams
  const indexAt = (name: string, otherwise: number) => {
    const text = asked.get(name)
    return text === null ? otherwise : (Date.parse(text) - FIRST_MS) / STEP_MS
  }
  const from = Math.max(0, Math.ceil(indexAt('UpdatedFromDate', 0)))
  const to = Math.min(count, Math.floor(indexAt('UpdatedToDate', count)) + 1)
  answer(response, from, to)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => {
  process.send?.(requests)
  requests = 0
})
process.once('disconnect', () => process.exit())
