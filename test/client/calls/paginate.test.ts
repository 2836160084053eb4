import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Failure } from '../../../src/base/failure/failure.ts'
import type { Caller } from '../../../src/client/calls/caller.ts'
import { Pace } from '../../../src/client/calls/pace.ts'
import { type Paging, paginate } from '../../../src/client/calls/paginate.ts'
import { listCustomers } from '../../../src/contract/customers.ts'
import { jsonReply, jsonTextReply } from '../../../src/http/server/reply.ts'
import type { WireReply } from '../../../src/http/transport.ts'
import { freshDirectory } from '../../support/partner.ts'

interface Asked {
  readonly limit: number
  readonly start: number
  readonly sort: string | null
}

/** Returns the members that describe a page, such as `from`, `to` and `length`, in the style of one service. */
type Envelope = (asked: Asked, items: readonly unknown[], total: number) => Record<string, unknown>

const placeOf = ({ start }: Asked, items: readonly unknown[]) => ({ from: start, to: start + items.length })

/** Envelopes in the styles of several services. `length` has different meanings, is missing or is invalid. */
const ENVELOPES: Readonly<Record<string, Envelope>> = {
  'length is the number of records in the page': (_asked, items) => ({
    from: 0,
    to: items.length,
    length: items.length,
  }),
  'length is the number of records in the page, and from and to are positions in the whole list': (asked, items) => ({
    ...placeOf(asked, items),
    length: items.length,
  }),
  'length is the total number of records': (asked, items, total) => ({ ...placeOf(asked, items), length: total }),
  'length is missing': () => ({}),
  'length is null': () => ({ from: null, to: null, length: null }),
  'length is a string': (_asked, items) => ({ length: String(items.length) }),
}

const people = (count: number) => Array.from({ length: count }, (_none, index) => ({ id: `c-${index}` }))
const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

/** Reads all pages of a list and records the requests. `answer` returns the response to a request. */
async function pagesOf(answer: (asked: Asked, earlier: readonly Asked[]) => WireReply, paging: Partial<Paging> = {}) {
  const requests: Asked[] = []
  const caller: Caller = {
    baseUrl: new URL('http://127.0.0.1'),
    transport: async ({ url }) => {
      const number = (name: string) => Number(url.searchParams.get(name))
      const asked = { limit: number('Limit'), start: number('StartIndex'), sort: url.searchParams.get('Sort') }
      const reply = answer(asked, [...requests])
      requests.push(asked)
      if (requests.length > 200) throw new Error('the pages do not end')
      return reply
    },
    profile: 'dev',
    retries: 0,
    attemptMs: 1000,
    longestWaitMs: 1000,
    hooks: { now: Date.now },
    pace: new Pace(join(freshDirectory(), 'pace.db'), 'test'),
  }
  const found: string[] = []
  let failure: Failure | null = null
  try {
    for await (const batch of paginate(caller, listCustomers, { query: { Sort: 'asc' } }, { pageSize: 10, ...paging }))
      found.push(...batch.map(({ value }) => (value as { id: string }).id))
  } catch (error) {
    failure = error as Failure
  }
  return { found, failure, requests }
}

/** Creates a service that has `total` customers and returns at most `cap` of them per page. */
function service(total: number, envelope: Envelope, cap = Number.POSITIVE_INFINITY) {
  const all = people(total)
  return (asked: Asked) => {
    const items = all.slice(asked.start, asked.start + Math.min(asked.limit, cap))
    return jsonReply(200, { ...envelope(asked, items, total), items })
  }
}

for (const [reading, envelope] of Object.entries(ENVELOPES)) {
  test.each([0, 1, 9, 10, 11, 20, 25, 99])(`paginate reads each of %i records once if ${reading}`, async (total) => {
    const { found, failure } = await pagesOf(service(total, envelope))
    expect(failure).toBeNull()
    expect(found).toEqual(ids(people(total)))
  })

  test.each([1, 7, 20])(
    `paginate reads all of %i records if ${reading} and pages have at most 4 records`,
    async (total) => {
      const { found, failure } = await pagesOf(service(total, envelope, 4))
      expect(failure).toBeNull()
      expect(found).toEqual(ids(people(total)))
    },
  )

  test(`paginate stops at the limit without requesting further records if ${reading}`, async () => {
    const { found, requests } = await pagesOf(service(99, envelope), { limit: 13 })
    expect(found).toEqual(ids(people(13)))
    expect(requests).toMatchObject([
      { limit: 10, start: 0 },
      { limit: 3, start: 10 },
    ])
  })
}

test('paginate does not request a page beyond the end if the length member is the total number of records', async () => {
  const { requests } = await pagesOf(service(25, ENVELOPES['length is the total number of records'] as Envelope))
  expect(requests.map(({ start }) => start)).toEqual([0, 10, 20])
})

test('paginate reports an incomplete list and does not repeat the first page if the service ignores StartIndex', async () => {
  const first = people(10)
  const page = jsonReply(200, { from: 0, to: 10, length: 10, items: first })
  const { found, failure, requests } = await pagesOf(() => page)
  expect(found).toEqual(ids(first))
  expect(failure).toMatchObject({ code: 'INCOMPLETE', exitCode: 13, details: { records: 10 } })
  expect(failure?.message).toMatch(/10 records.*same page/)
  expect(failure?.hint).toMatch(/--page-size/)
  expect(requests).toHaveLength(2)
})

test('paginate yields each record once if the service ignores StartIndex and Limit', async () => {
  const all = people(35)
  const { found, failure } = await pagesOf(() => jsonReply(200, { from: 0, to: 35, length: 35, items: all }))
  expect(found).toEqual(ids(all))
  expect(failure).toMatchObject({ code: 'INCOMPLETE' })
})

test('paginate succeeds if the first page reaches the limit, even if the service ignores StartIndex and Limit', async () => {
  const { found, failure } = await pagesOf(() => jsonReply(200, { items: people(35) }), { limit: 7 })
  expect(found).toEqual(ids(people(7)))
  expect(failure).toBeNull()
})

test('paginate stops at a repeated page without yielding its records again', async () => {
  const all = people(40)
  const { found, failure } = await pagesOf((_asked, earlier) => {
    const start = [0, 10, 20, 0][earlier.length] ?? 0
    return jsonReply(200, { length: 10, items: all.slice(start, start + 10) })
  })
  expect(found).toEqual(ids(all.slice(0, 30)))
  expect(failure).toMatchObject({ code: 'INCOMPLETE', details: { records: 30 } })
})

test('paginate yields each record once, even if a record is inserted at the start between two pages', async () => {
  // After the first page, a customer is added at the start of the list, so the second page repeats a record of the
  // first.
  const { found, failure } = await pagesOf((asked) => {
    const all = asked.start === 0 ? people(20) : [{ id: 'new' }, ...people(20)]
    const items = all.slice(asked.start, asked.start + asked.limit)
    return jsonReply(200, { length: items.length, items })
  })
  expect(found).toEqual(ids(people(20)))
  expect(failure).toBeNull()
})

test('paginate reports an incomplete list if the service announces more records than it sends', async () => {
  const { found, failure } = await pagesOf((asked) =>
    jsonReply(200, { length: 50, items: people(30).slice(asked.start, asked.start + asked.limit) }),
  )
  expect(found).toHaveLength(30)
  expect(failure).toMatchObject({ code: 'INCOMPLETE' })
  expect(failure?.message).toMatch(/reported 50 records, but sent no more after 30/)
})

test('paginate rethrows a failure on the first page, but reports a later failure as an incomplete list', async () => {
  const refused = jsonReply(400, { message: 'Invalid Date passed.' })
  expect((await pagesOf(() => refused)).failure).toMatchObject({ code: 'REJECTED', message: 'Invalid Date passed.' })
  const later = await pagesOf((asked) =>
    asked.start < 20 ? service(99, ENVELOPES['length is missing'] as Envelope)(asked) : refused,
  )
  expect(later.found).toHaveLength(20)
  expect(later.failure).toMatchObject({ code: 'INCOMPLETE', exitCode: 13, details: { records: 20, code: 'REJECTED' } })
})

test('paginate yields the complete records of a truncated page and reports an incomplete list', async () => {
  const { found, failure } = await pagesOf((asked) =>
    asked.start === 0
      ? jsonReply(200, { length: 10, items: people(10) })
      : jsonTextReply(200, '{"length":10,"items":[{"id":"c-10"},{"id":"c-1'),
  )
  expect(found).toEqual(ids(people(11)))
  expect(failure).toMatchObject({ code: 'INCOMPLETE', exitCode: 13, details: { records: 11 } })
  expect(failure?.message).toMatch(/after 11 records/)
})

test("paginate sends the command's filters with every page request", async () => {
  const { requests } = await pagesOf(service(25, ENVELOPES['length is missing'] as Envelope))
  expect(requests.map(({ sort }) => sort)).toEqual(['asc', 'asc', 'asc', 'asc'])
})
