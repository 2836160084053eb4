import type { Readable } from 'node:stream'
import { usageFailure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import { type Input, openInput } from '../../../client/bulk/input/input.ts'
import { repeated } from '../../../terminal/input/flags.ts'
import { interruptible } from '../../../terminal/input/interruptible.ts'
import { limitHeapGrowth } from '../../../terminal/output/heap.ts'
import { getClosingInstant } from './closing.ts'
import { MAP_KEYS, type PosFile, type PosSale } from './ledger.ts'
import { mapByName, parseMap } from './reading/map.ts'
import { readLineTexts, readNdjson } from './reading/ndjson.ts'
import { centsOfUnits, type Units } from './units.ts'

export const MAP_FLAG = {
  map: repeated({
    helpValue: 'KEY=COLUMN,…',
    summary: `FILE is CSV; map these keys to its columns: ${MAP_KEYS.join(', ')} (default: columns with these names).`,
  }),
} as const

export type OpenedPosFile = Awaited<ReturnType<typeof openPosFile>>

/** The maximum size of a CSV file, in bytes. A day at a busy venue takes only a few hundred KiB. */
const MAX_CSV_BYTES = 64 * 1024 * 1024
const LARGE_BYTES = 256 * 1024

/** The keys that `POST /Sales` requires but a comparison does not. */
const KEYS_TO_SUBMIT = ['currency', 'staffId', 'seats'] as const
const EXAMPLES = { currency: 'currency=Currency', staffId: 'staffId=Waiter', seats: 'seats=Covers' } as const

/**
 * Reads a file of closed sales. The returned `linesOf` function returns lines by number. It is `null` for CSV.
 * Throws USAGE or Interrupted.
 */
export async function openPosFile(given: string, map: readonly string[], standardInput: () => Readable) {
  const input = await interruptible((signal) => openInput(given, standardInput, signal))
  try {
    const { name } = input
    const close = () => input.close()
    if (isCsv(input, map)) return { file: await readCsvOf(input, map), name, linesOf: null, close }
    const linesOf = (wanted: ReadonlySet<number>) => readLineTexts(input, wanted)
    return { file: await readNdjson(input), name, linesOf, close }
  } catch (error) {
    input.close()
    throw error
  }
}

/**
 * Converts CSV input to NDJSON. Returns NDJSON input unchanged. `zone` returns the venue's time zone. Throws USAGE.
 * Also throws any error from `zone`.
 */
export async function convertCsvToNdjson(
  input: Input,
  { map, isChecked, zone }: { map: readonly string[]; isChecked: boolean; zone: () => Promise<string | null> },
): Promise<Input> {
  if (!isCsv(input, map)) return input
  const { sales } = await readCsvOf(input, map, isChecked ? KEYS_TO_SUBMIT : [])
  // Reject sales that have a date but no time, because an import would use the current time as their opening time.
  const lines = sales.filter(({ closed }) => closed !== null && 'day' in closed).map(({ line }) => line)
  if (lines.length > 0)
    throw usageFailure(
      [`${input.name}: line ${lines.slice(0, 20).join(', ')}: a sale needs a time, not only a day`],
      "add each sale's closing time, such as 2026-11-20 21:40; nothing was sent",
    )
  const isLocal = sales.some(({ closed }) => closed !== null && 'local' in closed)
  const timezone = isLocal ? await zone() : null
  const rows = sales.map((sale) => {
    const bytes = Buffer.from(JSON.stringify(buildSaleBody(sale, timezone)))
    return { line: sale.line, bytes, end: 0, isEnded: true }
  })
  return {
    ...input,
    async *lines() {
      if (rows.length > 0) yield rows
    },
  }
}

function isCsv({ name, isCsv: looksLikeCsv }: Input, map: readonly string[]): boolean {
  return map.length > 0 || looksLikeCsv || /\.(?:csv|tsv)$/i.test(name)
}

async function readCsvOf(
  input: Input,
  map: readonly string[],
  alsoNeeded: readonly (typeof KEYS_TO_SUBMIT)[number][] = [],
): Promise<PosFile> {
  const { readColumnNames, readCsv } = await import('./reading/csv.ts')
  const { name } = input
  const given = map.length > 0 ? parseMap(map) : null
  const bytes = await input.bytes(MAX_CSV_BYTES)
  if (bytes.length > LARGE_BYTES) await limitHeapGrowth()
  const found = readColumnNames(bytes, name)
  const columns = given ?? mapByName(found)
  const missing = (['saleId', 'total', ...alsoNeeded] as const).filter((key) => !columns.has(key))
  if (missing.length > 0) {
    const example = ['saleId=Bill,total=Total', ...alsoNeeded.map((key) => EXAMPLES[key])].join(',')
    const are = missing.length === 1 ? 'is' : 'are'
    throw usageFailure(
      [`${name} is CSV, and --map must say which of its columns ${are} ${missing.join(', ')}`],
      `such as --map ${example}; its columns are: ${found.join(', ').slice(0, 400)}`,
    )
  }
  return readCsv(bytes, columns, name)
}

/**
 * Builds the `POST /Sales` body for a sale in a CSV file, omitting members that have no value in the file. Amounts are
 * in cents.
 */
export function buildSaleBody(sale: PosSale, timezone: string | null): JsonObject {
  const { saleId, originalSaleId, type, bookingId, total, tax, currency, closed } = sale
  const { table: number, staffId = null, seats = null } = sale
  const ms = closed === null ? null : getClosingInstant(closed, timezone)
  const price = (units: Units | null) => {
    const cents = units === null ? null : centsOfUnits(units)
    if (cents === null) return undefined
    return { amount: JSON.rawJSON(String(cents)), ...(currency !== null && { currency }) }
  }
  const members: JsonObject = {
    origin: { saleId, ...(originalSaleId !== null && { originalSaleId }) },
    source: { type: 'POS' },
    type: type ?? 'SALE',
    ...(ms !== null && { openedZonedDateTime: toWireTime(ms), closedZonedDateTime: toWireTime(ms) }),
    ...(bookingId !== null && { bookingId }),
    ...(staffId !== null && { staff: { id: staffId } }),
    ...((seats !== null || number !== null) && {
      table: { ...(seats !== null && { seats }), ...(number !== null && { number }) },
    }),
    total: price(total),
    tax: price(tax),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
