import { expect, test } from 'vitest'
import { isJsonObject, parseExact } from '../../../../src/base/json/exact.ts'
import type { Input } from '../../../../src/client/bulk/input/input.ts'
import { compare } from '../../../../src/features/sales/reconcile/compare.ts'
import { KINDS, type PosFile } from '../../../../src/features/sales/reconcile/ledger.ts'
import { readCsv } from '../../../../src/features/sales/reconcile/reading/csv.ts'
import { parseMap } from '../../../../src/features/sales/reconcile/reading/map.ts'
import { readNdjson } from '../../../../src/features/sales/reconcile/reading/ndjson.ts'
import { toServiceSale } from '../../../../src/features/sales/reconcile/reading/service-sales.ts'
import { unitsOfCents } from '../../../../src/features/sales/reconcile/units.ts'
import { centsText } from '../../../../src/money/amount.ts'
import { chance } from '../../../money/chance.ts'
import { inOrder, play, type Sale } from './mutations.ts'

const HISTORIES = Number(process.env['PARTNER_RECONCILE_HISTORIES'] ?? 1000)
const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)
const DAYS = { from: '2026-11-20', to: '2026-11-20', timezone: 'Australia/Sydney' }

test(`sales reconcile finds all differences in ${HISTORIES} random histories, and its totals add up to the cent`, async () => {
  for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
    const luck = chance(seed)
    const { pos, service, expected, others } = play(luck)
    const closings = [...pos, ...others.pos]
    const file = luck.happens(0.5) ? await fromNdjson(closings) : fromCsv(closings, luck.happens(0.5))
    const report = compare(file, [...service, ...others.service].map(asListed), DAYS)
    const told = inOrder(report.differences).map(({ kind, saleId, difference }) => [kind, saleId, difference])
    const made = inOrder(expected).map(({ kind, saleId, cents }) => [kind, saleId, unitsOfCents(BigInt(cents))])
    expect(told, `PARTNER_SEED=${seed} PARTNER_RECONCILE_HISTORIES=1`).toEqual(made)
    for (const { kind, saleId, says } of expected.filter((one) => one.says !== null)) {
      const difference = report.differences.find((one) => one.kind === kind && one.saleId === saleId)
      expect(difference?.detail, `PARTNER_SEED=${seed}`).toContain(says)
    }
    const { totals, statement, counts } = report
    const cents = (of: readonly Sale[]) => unitsOfCents(of.reduce((sum, one) => sum + BigInt(one.cents), 0n))
    expect(totals, `PARTNER_SEED=${seed}`).toMatchObject({ pos: cents(pos), service: cents(service) })
    expect(counts.otherDays).toBe(others.pos.length)
    expect(totals.difference).toBe(totals.pos - totals.service)
    expect(KINDS.reduce((sum, kind) => sum + totals.byKind[kind], 0n)).toBe(totals.difference)
    expect(report.differences.reduce((sum, one) => sum + one.difference, 0n)).toBe(totals.difference)
    const rows = statement.filter(({ kind }) => kind !== 'all')
    for (const column of ['pos', 'service', 'difference'] as const)
      expect(rows.reduce((sum, row) => sum + (row[column] ?? 0n), 0n)).toBe(totals[column])
  }
})

/** Converts a sale to the format of the service's list, with amounts computed in binary floating point. */
function asListed({ saleId, cents, taxCents, bookingId, closedMs }: Sale) {
  const transactionDateTime = new Date(closedMs).toISOString()
  const saleDetail = { transactionId: saleId, transactionDateTime, total: cents / 100, tax: taxCents / 100 }
  const record = parseExact(JSON.stringify({ bookingId, saleDetail }))
  return toServiceSale(isJsonObject(record) ? record : {})
}

async function fromNdjson(sales: readonly Sale[]): Promise<PosFile> {
  const lines = sales.map(({ saleId, cents, taxCents, bookingId, closedMs, type, parent }, at) => ({
    line: at + 1,
    end: 0,
    isEnded: true,
    bytes: Buffer.from(
      JSON.stringify({
        origin: { saleId, ...(parent === null ? {} : { originalSaleId: parent }) },
        type,
        bookingId,
        closedZonedDateTime: new Date(closedMs).toISOString(),
        total: { amount: Math.abs(cents), currency: 'AUD' },
        tax: { amount: Math.abs(taxCents), currency: 'AUD' },
      }),
    ),
  }))
  const input: Pick<Input, 'name' | 'lines'> = {
    name: 'closings.ndjson',
    async *lines() {
      yield lines
    },
  }
  return readNdjson(input)
}

/** Formats sales as CSV, with amounts in currency units in Australian or German format, and reads the CSV back. */
function fromCsv(sales: readonly Sale[], isEuropean: boolean): PosFile {
  const units = (cents: number) => {
    const text = centsText(BigInt(cents))
    return isEuropean ? text.replace('.', ',').replace(/(\d)(?=\d{3},)/, '$1.') : text
  }
  const separator = isEuropean ? ';' : ','
  const rows = sales.map(({ saleId, cents, taxCents, bookingId, closedMs, type, parent }) => {
    const closed = new Date(closedMs + 11 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    return [saleId, units(cents), units(taxCents), bookingId, closed, type, parent].join(separator)
  })
  const header = ['Bill', 'Total, gross', 'GST', 'Booking', 'Closed at', 'Type', 'Of'].map((name) => `"${name}"`)
  const text = `\ufeff${[header.join(separator), ...rows].join('\r\n')}\r\n`
  const map = 'saleId=Bill,total="Total, gross",tax=GST,bookingId=Booking,closed=Closed at,type=Type,originalSaleId=Of'
  return readCsv(Buffer.from(text), parseMap([map]), 'closings.csv')
}
