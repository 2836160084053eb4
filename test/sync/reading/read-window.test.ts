import { describe, expect, test } from 'vitest'
import { answers, type RawRequest } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { type Sent, type SyncService, startDesk } from '../service.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']

const customer = (id: string, minute: number): Sent => ({
  id,
  lastModifiedDate: new Date(Date.parse(NOON) - 3_600_000 + minute * 60_000).toISOString(),
})

const SEVEN = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((id, minute) => customer(id, minute))

async function startPages(records: Sent[] = [...SEVEN]) {
  const { service, desk } = await startDesk(NOON, records, 'c.ndjson', 'customers')
  return { service, desk, ids: () => desk.has().map((text) => text.split('@')[0]) }
}

const startIndexOf = ({ target }: RawRequest) => new URL(target, 'http://service').searchParams.get('StartIndex')
/** Of all requests but those of the first run that only show its clock: their window ends where it begins. */
const startIndices = (service: SyncService) =>
  service.server.requests.map(startIndexOf).filter((_, at) => service.windows()[at]?.[0] !== service.windows()[at]?.[1])

describe('a list in pages', () => {
  test('each page is asked for from the last record that was read', async () => {
    const { service, desk, ids } = await startPages()
    expect((await desk.sync(...SINCE)).stderr).toMatch(/7 new, 0 changed, 0 unchanged; .*; 5 requests/)
    expect(ids()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    expect(startIndices(service)).toEqual(['0', '2', '4', '6'])
  })

  test('a run that finds nothing asks twice: up to the cursor, which shows the clock, and from there up to the present', async () => {
    const { service, desk } = await startPages([])
    await desk.sync(...SINCE)
    await desk.sync()
    expect(startIndices(service)).toEqual(['0', '0', '0'])
  })

  test('a record that changes while pages are read hides no other', async () => {
    const { service, desk, ids } = await startPages()
    service.lie = (request) => {
      if (startIndexOf(request) !== '2' || service.server.requests.length > 2) return undefined
      // It goes to the end of the list, and all behind it come one place nearer.
      service.records = [...SEVEN.slice(1), customer('A', 59)]
      return undefined
    }
    expect((await desk.sync(...SINCE)).stderr).toMatch(/7 new, 1 changed, /)
    expect(ids()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'A'])
    service.nowMs += 120_000
    expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed, 1 unchanged/)
  })

  test('a page that comes empty though it had a record is read again, too', async () => {
    const { service, desk, ids } = await startPages()
    service.lie = (request) => {
      const isFirst = service.server.requests.filter((one) => startIndexOf(one) === '4').length === 0
      return startIndexOf(request) === '4' && isFirst ? answers(200, { items: [] }) : undefined
    }
    expect((await desk.sync(...SINCE)).code).toBe(0)
    expect(ids()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
  })

  test('pages that never come to rest are exit 13 after five tries, and nothing is kept', async () => {
    const { service, desk, ids } = await startPages()
    let turn = 0
    service.lie = () => {
      turn++
      return answers(200, { items: [customer(`X-${turn}`, 1), customer(`Y-${turn}`, 2)] })
    }
    expectRefusal(await desk.sync(...SINCE), { code: 13, says: /do not follow one another, in 5 tries/ })
    expect(service.server.requests).toHaveLength(10)
    expect(ids()).toEqual([])
  })

  test('a service that says how many there are in all is asked no further, and one that gives fewer is incomplete', async () => {
    const { service, desk, ids } = await startPages()
    service.lie = (request) => {
      const start = Number(startIndexOf(request))
      const date = new Date(service.nowMs).toUTCString()
      return answers(200, { items: SEVEN.slice(start, start + 3), length: 7 }, { date })
    }
    await desk.sync(...SINCE)
    expect(startIndices(service)).toEqual(['0', '2', '4'])
    expect(ids()).toHaveLength(7)
    service.lie = () => answers(200, { items: [], total: 7 })
    expectRefusal(await desk.sync(), { code: 13, says: /says that there are 7, and gives no more after 0/ })
  })

  test('--param adds to each request, and cannot set what sync sets', async () => {
    const { service, desk } = await startPages([])
    await desk.sync(...SINCE, '--param', 'CustomerId=C-1')
    expect(service.server.requests[0]?.target).toContain('CustomerId=C-1')
    const done = await desk.sync('--param', 'startindex=5', '--param', 'DateUpdatedEnd=2026')
    expectRefusal(done, { code: 2, says: /--param must not set StartIndex.*\n.*--param must not set DateUpdatedEnd/ })
    expect(service.server.requests).toHaveLength(2)
  })
})
