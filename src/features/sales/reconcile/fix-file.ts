import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { isJsonObject, parseExact } from '../../../base/json/exact.ts'
import { writeFileDurably } from '../../../base/storage/durable-write.ts'
import { createSale } from '../../../contract/sales.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { validate } from '../../../terminal/input/validate.ts'
import { counted } from '../../shared/views/wording.ts'
import { withRequiredParents, withSaleDefaults } from '../sale-body.ts'
import { checkFixFile, type ReconcileParts } from './arguments.ts'
import { buildSaleBody, type OpenedPosFile } from './closings.ts'
import type { Report } from './compare.ts'
import type { KnownSales, PosSale } from './ledger.ts'

/**
 * Writes missing sales to a file for `sales import` and warns about missing members. Returns the number of sales.
 * Throws INTERNAL or USAGE.
 */
export async function writeFix(
  path: string,
  { linesOf }: OpenedPosFile,
  report: Report,
  { doubtful }: KnownSales,
  { flags, say, warn, timezone }: Pick<ReconcileParts, 'flags' | 'say' | 'warn'> & { readonly timezone: string | null },
): Promise<number> {
  const isOmitted = ({ saleId }: PosSale) => flags.force !== true && doubtful.has(saleId)
  const omitted = report.missing.filter(isOmitted).map(({ saleId }) => saleId)
  const missing = report.missing.filter((sale) => !isOmitted(sale)).sort((one, other) => one.line - other.line)
  if (omitted.length > 0)
    await warn(
      `${path}: omitted ${counted(omitted.length, 'missing sale', 'missing sales')} that the service may have: ${omitted.slice(0, 10).join(', ')}${omitted.length > 10 ? ' and more' : ''}; --force writes them as well`,
    )
  if (missing.length === 0) {
    const what = omitted.length === 0 ? 'nothing is missing' : 'no sale is known to be missing'
    await say(`${what}: ${path} was not written`)
    return 0
  }
  const lines =
    linesOf === null
      ? missing.map((sale) => JSON.stringify(buildSaleBody(sale, timezone)))
      : await linesOf(new Set(missing.map(({ line }) => line)))
  checkFixFile(path)
  writeFileDurably(path, lines.map((line) => `${line}\n`).join(''))
  const count = counted(missing.length, 'missing sale', 'missing sales')
  const profile = flags.profile === undefined ? '' : ` --profile ${quoteShellWord(flags.profile)}`
  await say(`${path}: ${count}; nothing was sent; to submit: partner sales import ${quoteShellWord(path)}${profile}`)
  const lacks = (await Promise.all(lines.map(findMissingMembers))).flat()
  for (const [lack, { length }] of Map.groupBy(lacks, (one) => one))
    await warn(`${path}: ${lack} in ${counted(length, 'sale', 'sales')}: correct it before the import`)
  const unlinked = missing.filter(({ bookingId, table }) => bookingId === null && table === null).length
  if (unlinked > 0)
    await warn(
      `${path}: ${counted(unlinked, 'sale names', 'sales name')} neither a booking nor a table: the service may have them already, but list only linked sales`,
    )
  return missing.length
}

/** Lists the members that `POST /Sales` requires but a sale lacks. */
async function findMissingMembers(line: string): Promise<readonly string[]> {
  const sale = parseExact(line)
  if (!isJsonObject(sale)) return []
  const problems = new Problems()
  const isTimed = ['closedZonedDateTime', 'openedZonedDateTime'].some((member) => sale[member] !== undefined)
  // If the sale has no time, the import uses the current time.
  if (!isTimed)
    problems.add('closedZonedDateTime is required: without it, the sale may be imported with the wrong date')
  await validate(createSale.body, withRequiredParents(withSaleDefaults(sale, 0)), {}, problems)
  return problems.lines
}
