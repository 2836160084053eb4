import { describe, expect, test } from 'vitest'
import { compare } from '../../../../src/features/sales/reconcile/compare.ts'
import {
  type Difference,
  MAP_KEYS,
  type MapKey,
  type PosSale,
} from '../../../../src/features/sales/reconcile/ledger.ts'
import { buildNotes } from '../../../../src/features/sales/reconcile/printed/notes.ts'
import { toServiceSale } from '../../../../src/features/sales/reconcile/reading/service-sales.ts'
import { unitsOf, unitsText } from '../../../../src/features/sales/reconcile/units.ts'

const DAYS = { from: '2026-11-20', to: '2026-11-20', timezone: 'Australia/Sydney' }
/** 2026-11-20 at 21:40 in Sydney. */
const CLOSED = Date.UTC(2026, 10, 20, 10, 40)

function pos(saleId: string, total: string | null, more: Partial<PosSale> = {}): PosSale {
  return {
    ...{ line: 1, saleId, tax: null, bookingId: 'BK-1', table: null, closed: { ms: CLOSED }, type: 'SALE' },
    ...{ originalSaleId: null, currency: 'AUD', total: total === null ? null : unitsOf(total) },
    ...more,
  }
}

function listed(transactionId: string | null, total: unknown, more: object = {}, bookingId: string | null = 'BK-1') {
  const saleDetail = { transactionId, transactionDateTime: new Date(CLOSED).toISOString(), total, ...more }
  return toServiceSale(JSON.parse(JSON.stringify({ bookingId, saleDetail })))
}

function report(
  sales: readonly PosSale[],
  service: readonly ReturnType<typeof listed>[],
  says: readonly MapKey[] = MAP_KEYS,
) {
  const file = { sales, keys: new Set(says) }
  const compared = compare(file, service, DAYS)
  const brief = ({ kind, saleId, difference }: Difference) => `${kind} ${saleId} ${unitsText(difference)}`
  return { ...compared, told: compared.differences.map(brief), notes: buildNotes(file, compared) }
}

describe('sales reconcile with totals that differ', () => {
  test.each([
    ['10.00', 1000, {}, 'cents were mistaken for currency units'],
    ['10.00', 0.1, {}, 'currency units were sent as cents'],
    ['-10.00', 10, {}, 'has the opposite sign'],
    ['11.00', 10, { tax: 1 }, 'excludes the tax of 1.00'],
    ['11.00', 10, { totalExTax: 9 }, 'excludes the tax of 1.00'],
    ['10.00', 11, { tax: 1 }, 'includes the tax of 1.00'],
    ['11.00', 0.1, { tax: 1 }, "excludes the tax of 1.00; and the service's total is too low by a factor of 100"],
    ['11.00', null, {}, 'the service lists no total'],
    ['11.00', 10.5, { tax: 1 }, 'the service has 0.50 less'],
    ['11.00', 11.005, {}, 'the service has 0.005 more'],
  ])(
    'sales reconcile explains why the POS total %s differs from the service total %s (%j)',
    (total, other, more, says) => {
      const { differences, totals } = report([pos('S-1', total)], [listed('S-1', other, more)])
      expect(differences).toEqual([expect.objectContaining({ kind: 'total', detail: expect.stringContaining(says) })])
      expect(totals.difference).toBe(totals.byKind.total)
    },
  )

  test('sales reconcile ignores differences that come from binary floating-point arithmetic', () =>
    expect(
      report([pos('S-1', '75.05'), pos('S-2', '0.30')], [listed('S-1', 75.05000000000001), listed('S-2', 0.1 + 0.2)])
        .told,
    ).toEqual([]))
})

test('sales reconcile notes which columns the file lacks, and does not report differences in them', () => {
  const unsaid = { bookingId: null, closed: null, type: null, currency: null }
  const { told, notes } = report(
    [pos('S-1', '10', unsaid), pos('R-1', '-5', { ...unsaid, type: 'REFUND' })],
    [listed('S-1', 10, {}, null), listed('R-1', -5)],
    ['saleId', 'total'],
  )
  expect(told).toEqual([])
  expect(notes).toEqual([
    expect.stringContaining('currency, type and original sale are taken from the file alone'),
    expect.stringContaining('the days are not compared'),
    expect.stringContaining('the links are not compared'),
    expect.stringContaining('refunds are not checked'),
    '1 sale not counted as a difference: no booking in the service or in the file',
  ])
})

test('sales reconcile excludes sales without a total from both totals, and notes that the file has several currencies', () => {
  const { told, totals, notes } = report(
    [pos('S-1', null), pos('S-2', '5', { currency: 'NZD' }), pos('S-3', null)],
    [listed('S-1', 10), listed('S-2', 5)],
  )
  expect(told).toEqual(['missing S-3 0.00'])
  expect([totals.pos, totals.service].map(unitsText)).toEqual(['5.00', '5.00'])
  expect(notes).toContain('2 sales excluded from both totals: no total in the file')
  expect(notes.join('\n')).toContain('sales in AUD, NZD')
})

test('sales reconcile reports a refund if neither the file nor the service contains the original sale', () => {
  const refund = (saleId: string, originalSaleId: string | null) =>
    pos(saleId, '-1', { type: 'REFUND', originalSaleId })
  const refunds = [
    refund('R-1', 'S-1'),
    refund('R-2', 'S-0'),
    refund('R-3', 'S-9'),
    refund('R-4', null),
    refund('R-5', 'R-5'),
  ]
  const before = listed('S-0', 3, { transactionDateTime: '2026-11-19T10:00:00Z' })
  const { told } = report(
    [pos('S-1', '1'), ...refunds],
    [listed('S-1', 1), before, ...refunds.map(({ saleId }) => listed(saleId, -1))],
  )
  expect(told).toEqual(['orphan-refund R-3 0.00', 'orphan-refund R-4 0.00', 'orphan-refund R-5 0.00'])
})

test('sales reconcile reports a sale at a table as unlinked if the service has not linked it to a booking', () => {
  const atTable = pos('S-1', '1', { bookingId: null, table: 'T4' })
  expect(report([atTable], [listed('S-1', 1, {}, null)]).told).toEqual(['unlinked S-1 0.00'])
  expect(report([atTable], [listed('S-1', 1, {}, 'BK-9')]).told).toEqual([])
})

test('sales reconcile reports extra records even if they have no ID, but skips those without a closing time', () => {
  const undated = { transactionDateTime: null }
  const { told, notes } = report(
    [pos('S-1', '1')],
    [listed('S-1', 1, undated), listed(null, 2), listed(null, 3), listed('X-1', 4, undated)],
  )
  expect(told).toEqual(['extra null -2.00', 'extra null -3.00'])
  expect(notes).toContain('1 sale skipped: listed only by the service, with no closing time')
})

test('sales reconcile reports an ID that is duplicated on both sides, with a difference of 0 if the amounts agree', () => {
  const { told, totals, missing } = report([pos('S-1', '12'), pos('S-1', '10')], [listed('S-1', 10), listed('S-1', 12)])
  expect(told).toEqual(['doubled S-1 0.00'])
  expect(totals.difference).toBe(0n)
  expect(missing).toEqual([])
})
