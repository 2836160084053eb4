import type { Days, Difference, PosSale, ServiceSale } from './ledger.ts'
import * as words from './printed/words.ts'

/** Where the sale that a refund gives back may be. */
interface Known {
  readonly inFile: ReadonlyMap<string, unknown>
  readonly listed: ReadonlyMap<string, unknown>
  readonly days: Days
}

/**
 * The difference of a refund without its sale: it names none, or one that neither the file nor the service has on the days that were
 * read. The service does not show which sale a refund is of: the file alone says so. Null for anything else.
 */
export function orphanOf(
  lines: readonly PosSale[],
  rows: readonly ServiceSale[],
  { inFile, listed, days }: Known,
): Difference | null {
  const refund = lines.find(({ type }) => type === 'REFUND')
  if (refund === undefined) return null
  const { saleId, originalSaleId: parent } = refund
  const isThere = parent !== null && parent !== saleId && (inFile.has(parent) || listed.has(parent))
  return isThere ? null : words.orphan(refund, rows[0] ?? null, days)
}
