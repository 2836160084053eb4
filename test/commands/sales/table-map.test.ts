import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTill, outcomes, results, sale, type Till } from '../../client/bulk/importing.ts'
import type { Fault } from '../../money/commit-server.ts'
import { freshDirectory } from '../../support/partner.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run, json } = await venueOfThisFile()

function mapOf(...lines: readonly string[]): string {
  const file = join(freshDirectory(), 'map.csv')
  writeFileSync(file, ['pos,service', ...lines].map((line) => `${line}\n`).join(''))
  return file
}

const LOST: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
const REFUSED: Fault = { kind: 'refused', status: 400, body: { message: 'No.' } }
const NO_LIST: Fault = { kind: 'refused', status: 503, body: '' }

const at = (saleId: string, number: string, more = {}) => sale(saleId, { table: { seats: 2, number }, ...more })

function sentTo({ server }: Till): Record<string, string> {
  const sales = server.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { origin: { saleId: string }; table: { number: string } })
  return Object.fromEntries(sales.map(({ origin, table }) => [origin.saleId, table.number]))
}

describe('sales create --table-map', () => {
  const ticket = ['sales', 'create', '--sale-id', 'M-1', '--staff-id', 'st-1', '--seats', '2']

  test("sales create --table-map sends the service's table number instead of the POS's own number", async () => {
    const map = mapOf('07,T7')
    const body = async (...args: string[]) =>
      (await json(...ticket, '--table-map', map, '--dry-run', ...args)).body.table
    expect(await body('--table-number', '07')).toEqual({ seats: 2, number: 'T7' })
    expect(await body('--set', 'table.number="07"')).toEqual({ seats: 2, number: 'T7' })
    expect(await body('--booking-id', 'BK-1003')).toEqual({ seats: 2 })
    expect(await body('--table-number', '9', '--no-validate')).toEqual({ seats: 2, number: '9' })
  })

  test('sales create --table-map lets the service link the sale to the booking at that table', async () => {
    const time = ['--time', '2026-12-01 18:00']
    const { bookingId } = await json('bookings', 'create', '--people', '2', ...time, '--table', 'tbl-t7')
    const sold = ['--opened', '2026-12-01 18:10', '--table-number', 'Seven', '--table-map', mapOf('Seven,T7')]
    expect(await json(...ticket, ...sold)).toMatchObject({ bookingId })
  })

  test.each([
    [['07,T7'], '--table-number: ', ' has no table "8"'],
    [['07,T7', '8,'], '--table-number: ', ', line 3, has no service name for "8"'],
    [['07,T7', '8'], '--table-map: ', ", line 3: its number of columns (1) differs from line 1's (2)"],
    [null, '--table-map: ', 'nowhere.csv cannot be read: there is no such file'],
  ])("sales create sends nothing if the sale's table is not in the table map %j", async (lines, before, says) => {
    const map = lines === null ? 'nowhere.csv' : mapOf(...lines)
    const done = await run(...ticket, '--table-number', '8', '--table-map', map)
    expectRefusal(done, { code: 2, says: before, next: 'nothing was sent' })
    expect(done.stderr).toContain(says)
  })
})

describe('sales import --table-map', () => {
  test("sales import --table-map sends the service's table numbers and rejects lines whose table is not in the map", async () => {
    const till = await openTill([at('T-1', '07'), at('T-2', '8'), at('T-3', '8', { bookingId: 'BK-1' })])
    const run = await till.import('--table-map', mapOf('07,T7'))
    expect(run.code).toBe(11)
    expect(outcomes(run).map(String)).toEqual(['1,T-1,accepted', '2,T-2,invalid', '3,T-3,accepted'])
    expect(results(run)[1]?.message).toMatch(/^table\.number: .*map\.csv has no table "8"$/)
    expect(sentTo(till)).toEqual({ 'T-1': 'T7', 'T-3': '8' })
    expect((await till.import('--table-map', mapOf('07,T7', '8,T8'))).code).toBe(0)
    expect(sentTo(till)).toEqual({ 'T-1': 'T7', 'T-2': 'T8', 'T-3': '8' })
  })

  test.each([
    ['has a different entry', ['07,T1']],
    ['no longer has the table', ['1,T1']],
    ['is no longer given', null],
  ])('sales import sends no sale twice if the table map %s', async (_what, lines) => {
    const till = await openTill([at('T-1', '07')])
    expect(await till.import('--table-map', mapOf('07,T7'))).toMatchObject({ code: 0 })
    const again = await till.import(...(lines === null ? [] : ['--table-map', mapOf(...lines)]))
    expect([again.code, outcomes(again)]).toEqual([0, [[1, 'T-1', 'accepted']]])
    expect(till.server.writesOn('T-1')).toBe(1)
  })

  test("sales import resolves an unknown outcome if the table's map entry has changed, but not if it is missing", async () => {
    const till = await openTill([at('T-1', '07')])
    till.server.setFaults('write', 'T-1', [LOST])
    till.server.setFaults('read', 'sales', [NO_LIST, NO_LIST])
    const run = await till.import('--table-map', mapOf('07,T7'), '--retries', '0')
    expect(outcomes(run)).toEqual([[1, 'T-1', 'unknown']])
    till.server.setFaults('read', 'sales', [])
    const without = await till.import('--table-map', mapOf('1,T1'))
    const message = expect.stringContaining('has no table "07"')
    expect(results(without)).toMatchObject([{ outcome: 'unknown', message }])
    expect(without.code).toBe(11)
    expect(await till.import('--table-map', mapOf('07,T8'))).toMatchObject({ code: 0 })
    expect(till.server.commitsOn('T-1')).toBe(1)
  })

  test('after the table map is corrected, sales import resends a sale that was rejected for a wrong table', async () => {
    const till = await openTill([at('T-1', '07')])
    till.server.setFaults('write', 'T-1', [REFUSED])
    expect(outcomes(await till.import('--table-map', mapOf('07,T7')))).toEqual([[1, 'T-1', 'rejected']])
    expect(await till.import('--table-map', mapOf('07,T8'))).toMatchObject({ code: 0 })
    expect(sentTo(till)).toEqual({ 'T-1': 'T8' })
  })

  test('sales import sends nothing if the table map is damaged, and a dry run reports tables that the map lacks', async () => {
    const till = await openTill([at('T-1', '07'), at('T-2', '8')])
    const damaged = await till.import('--table-map', mapOf('07,T7', '"8'))
    expectRefusal(damaged, { code: 2, says: 'line 3: a quoted field is never closed' })
    const dry = await till.import('--table-map', mapOf('07,T7'), '--dry-run')
    expect(dry.code).toBe(11)
    expect(dry.stderr).toMatch(/^line 2: table\.number: .* has no table "8"$/m)
    expect(till.server.requests).toHaveLength(0)
  })
})
