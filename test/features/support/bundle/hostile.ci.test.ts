import { expect, test } from 'vitest'
import type { JsonValue } from '../../../../src/base/json/exact.ts'
import { Cleaner } from '../../../../src/features/support/bundle/cleaning/cleaner.ts'
import { OwnText } from '../../../../src/features/support/bundle/cleaning/own-text.ts'
import { cleanDelivery, cleanEntry, learnEntry } from '../../../../src/features/support/bundle/cleaning/traffic.ts'
import type { HarEntry } from '../../../../src/features/support/bundle/given/har.ts'
import { scan } from '../../../../src/features/support/bundle/scan.ts'
import { words } from '../../../support/words.ts'

// In random traffic, any member may have any value, including guest data that also occurs in other members.

const GUEST = {
  customer: { firstName: 'Zarathustra', lastName: 'Quux', email: 'zed@mail.example', phone: '+61 499 123 456' },
  phone2: '0499 123 456',
  cardNumber: 'GIFT1-00000100-AAAA',
}
const TRACES = ['zed@mail.example', '+61 499 123 456', '0499 123 456', 'GIFT1-00000100-AAAA', 'Zarathustra Quux']

const ODD = `|%|%E0%A4|http://|http://[::1|//x|=|"|\\|__proto__|constructor|1e400|-0|null|{"a":1}|[|{|BK-1|2026-11-22T10:00:00Z|SALE`
const TEXTS: readonly string[] = [
  ...[...ODD.split('|'), '\ud800', '\0', '\u202e', 'a'.repeat(300), 'Zarathustra'],
  ...TRACES.flatMap((text) => [text, `x ${text} y`, encodeURIComponent(text), Buffer.from(text).toString('base64')]),
]
const MEMBERS: readonly string[] = [
  ...words('bookingId id status notes message email phone firstName lastName fullName cardNumber customer tables name'),
  ...words('code statusType errors webhookUrl time amount token x __proto__ constructor toString birthdayYear title'),
  ...['number', 'section', 'type', 'items', 'unknownThing', 'Zarathustra', 'zed@mail.example', '0499 123 456'],
]

/** Generates pseudo-random traffic from a seed. */
class TrafficGenerator {
  #state: number

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761
  }

  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (this.#state >>> 8) % count
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T
  }

  value(level = 0): JsonValue {
    const kind = this.below(level > 3 ? 4 : 7)
    if (kind < 3) return this.of(TEXTS)
    if (kind === 3) return this.of([null, true, 0, -1.5, 61499123456, 499123456, 1e21, 12])
    const many = Array.from({ length: this.below(5) })
    if (kind === 4) return many.map(() => this.value(level + 1))
    return Object.fromEntries(many.map(() => [this.of(MEMBERS), this.value(level + 1)]))
  }

  body(): string {
    const text = JSON.stringify(this.value())
    return this.below(5) === 0 ? text.slice(0, this.below(text.length)) : text
  }

  headers() {
    const names = [...TEXTS, 'cookie', 'authorization', 'date', 'location', 'server', 'x-request-id']
    return [{ name: this.of(names), value: this.of(TEXTS) }, this.value()]
  }

  entry(): HarEntry {
    const path = [this.of(TEXTS), this.of(['Bookings', 'GiftCards', 'Customers', 'x']), this.of(TEXTS)].join('/')
    const url = `https://api.example/${path}?${this.of(MEMBERS)}=${this.of(TEXTS)}&${this.of(TEXTS)}`
    const content = { text: this.body(), encoding: this.of(['base64', 'utf-8']), mimeType: this.of(TEXTS) }
    const more = { comment: this.of(TEXTS), cookies: this.value(), httpVersion: this.of(TEXTS) }
    return {
      ...{ startedDateTime: this.of(TEXTS), time: this.value(), timings: this.value(), _attempt: this.value() },
      request: {
        ...{ ...more, method: this.of(TEXTS), url: this.of([url, url, this.of(TEXTS)]), headers: this.headers() },
        postData: { ...content, params: this.value() },
      },
      response: {
        ...{ ...more, status: 200, headers: this.headers(), content: { ...content, comment: this.of(TEXTS) } },
        ...{ redirectURL: this.of(TEXTS), _error: this.of(TEXTS) },
      },
    }
  }
}

test('cleaning random traffic never throws and leaves no guest data', () => {
  for (let seed = 1; seed <= 1500; seed++) {
    const cleaner = new Cleaner()
    const all = (): string => {
      const draw = new TrafficGenerator(seed)
      cleaner.json(GUEST)
      const entry = cleanEntry(draw.entry(), cleaner)
      const headers = { [draw.of(TEXTS)]: draw.of(TEXTS) }
      const delivery = { timeMs: 1e12, headers, body: Buffer.from(draw.body()), verdict: draw.of(TEXTS) }
      const own = new OwnText(cleaner, '/home/zed').json({ message: `the service says ${draw.of(TRACES)}` })
      return [entry, cleanDelivery(delivery, cleaner), own].map((one) => JSON.stringify(one)).join('\n')
    }
    all()
    const text = all()
    const decoded = [...text.matchAll(/[A-Za-z0-9+/]{8,}={0,2}/g)].map(([run]) => Buffer.from(run, 'base64').toString())
    const everything = [text, ...decoded].join('\n').toLowerCase()
    const found = TRACES.filter((trace) => everything.includes(trace.toLowerCase()))
    expect(found, `seed ${seed}: ${text}`).toEqual([])
    expect(scan([{ name: 'part', bytes: Buffer.from(text) }], cleaner.known), `seed ${seed}: ${text}`).toEqual([])
  }
})

/** Returns all guest data that a cleaner has collected, in the order in which it found the data. */
const learned = ({ known }: Cleaner) =>
  Object.entries(known).map(([what, all]: [string, Iterable<unknown>]) => [what, [...all]])

test('learnEntry finds the same guest data in random traffic as cleanEntry, in the same order', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const [cleaning, learning] = [new Cleaner(), new Cleaner()]
    for (const cleaner of [cleaning, learning]) cleaner.json(GUEST)
    // Process the first entry again at the end, when the cleaner has already seen more guest data.
    for (const at of [seed, seed + 1, seed]) {
      cleanEntry(new TrafficGenerator(at).entry(), cleaning)
      learnEntry(new TrafficGenerator(at).entry(), learning)
    }
    expect(JSON.stringify(learned(learning)), `seed ${seed}`).toBe(JSON.stringify(learned(cleaning)))
  }
})
