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
/** Returns the StartIndex of each request. Skips requests with an empty window, which only read the service's clock. */
const startIndices = (service: SyncService) =>
  service.server.requests.map(startIndexOf).filter((_, at) => service.windows()[at]?.[0] !== service.windows()[at]?.[1])

describe('lists that the service returns in pages', () => {
  test('each page starts with the last record of the previous page', async () => {
    const { service, desk, ids } = await startPages()
    expect((await desk.sync(...SINCE)).stderr).toMatch(/7 new, 0 changed, 0 unchanged; .*; 5 requests/)
    expect(ids()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    expect(startIndices(service)).toEqual(['0', '2', '4', '6'])
  })

  test("a run that finds no changes sends one request for the service's clock and one for the records", async () => {
    const { service, desk } = await startPages([])
    await desk.sync(...SINCE)
    await desk.sync()
    expect(startIndices(service)).toEqual(['0', '0', '0'])
  })

  test('no record is missed if another record changes while the pages are being read', async () => {
    const { service, desk, ids } = await startPages()
    service.lie = (request) => {
      if (startIndexOf(request) !== '2' || service.server.requests.length > 2) return undefined
      // The changed record moves to the end of the list, so the records that followed it move up by one position.
      service.records = [...SEVEN.slice(1), customer('A', 59)]
      return undefined
    }
    expect((await desk.sync(...SINCE)).stderr).toMatch(/7 new, 1 changed, /)
    expect(ids()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'A'])
    service.nowMs += 120_000
    expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed, 1 unchanged/)
  })

  test('an unexpectedly empty page is read again', async () => {
    const { service, desk, ids } = await startPages()
    service.lie = (request) => {
      const isFirst = service.server.requests.filter((one) => startIndexOf(one) === '4').length === 0
      return startIndexOf(request) === '4' && isFirst ? answers(200, { items: [] }) : undefined
    }
    expect((await desk.sync(...SINCE)).code).toBe(0)
    expect(ids()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
  })

  test('sync exits with code 13 and stores nothing if the pages still shift after five attempts', async () => {
    const { service, desk, ids } = await startPages()
    let turn = 0
    service.lie = () => {
      turn++
      return answers(200, { items: [customer(`X-${turn}`, 1), customer(`Y-${turn}`, 2)] })
    }
    expectRefusal(await desk.sync(...SINCE), { code: 13, says: /were inconsistent in 5 attempts/ })
    expect(service.server.requests).toHaveLength(10)
    expect(ids()).toEqual([])
  })

  test('sync stops reading at the total that the service reports, and exits with code 13 if records are missing', async () => {
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
    expectRefusal(await desk.sync(), { code: 13, says: /reported a total of 7 records, but sent only 0/ })
  })

  test('--param adds a parameter to each request, but is refused for a parameter that sync itself sets', async () => {
    const { service, desk } = await startPages([])
    await desk.sync(...SINCE, '--param', 'CustomerId=C-1')
    expect(service.server.requests[0]?.target).toContain('CustomerId=C-1')
    const done = await desk.sync('--param', 'startindex=5', '--param', 'DateUpdatedEnd=2026')
    expectRefusal(done, { code: 2, says: /--param must not set StartIndex.*\n.*--param must not set DateUpdatedEnd/ })
    expect(service.server.requests).toHaveLength(2)
  })
})
