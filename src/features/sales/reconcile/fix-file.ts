import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { shellWord } from '../../../base/failure/shell-word.ts'
import { isJsonObject, type JsonObject, parseExact } from '../../../base/json/exact.ts'
import { dataDirectory } from '../../../base/storage/directories.ts'
import { writeFileDurably } from '../../../base/storage/durable-write.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { createSale } from '../../../contract/sales.ts'
import { operationsPath } from '../../../money/operations/file.ts'
import type { CommonFlags } from '../../../terminal/input/command-line.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { validate } from '../../../terminal/input/validate.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import { counted } from '../../shared/views/wording.ts'
import { saleToCheck, withSaleDefaults } from '../sale-body.ts'
import type { OpenedPosFile } from './closings.ts'
import { bodyOf } from './fix.ts'
import type { Days, PosSale, Report } from './ledger.ts'
import type { SalesKnown, Venue } from './reading/known-sales.ts'

/** Fails: USAGE when `--fix` names something that is there already: nothing is overwritten. */
export function checkFix(path: string | undefined): void {
  if (path === undefined) return
  if (path === '-' || path.trim() === '') throw usageFailure(['--fix must name a file'], 'such as --fix missing.ndjson')
  try {
    lstatSync(path)
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOENT') {
      checkDirectory(path)
      return
    }
    throw usageFailure([`--fix ${path} cannot be written: ${describeSystemError(error)}`], 'name another file')
  }
  throw usageFailure([`--fix ${path} is there already, and is not overwritten`], 'name another file, or remove it')
}

function checkDirectory(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw usageFailure(
      [`--fix ${path} cannot be written: ${describeSystemError(error)}`],
      'name a file in a directory that is yours',
    )
  }
}

interface FixFlags {
  readonly fix?: string | undefined
  readonly journal?: readonly string[] | undefined
  readonly force?: boolean | undefined
}

interface Given {
  readonly args: { readonly file: string }
  readonly host: Host
  readonly flags: FixFlags
  readonly warn: (line: string) => Promise<void>
}

interface FixParts {
  readonly days: Days
  readonly say: (line: string) => Promise<void>
  readonly warn: (line: string) => Promise<void>
  readonly flags: CommonFlags
}

/** The sales for the file. */
export interface Fixable {
  readonly missing: readonly PosSale[]
  /** IDs of missing sales that the service may have, so that the file must not have them. */
  readonly leftOut: readonly string[]
}

/**
 * What this machine knows of earlier writes of sales.
 * Fails: USAGE when some of it cannot be read, and `--fix` relies on it.
 */
export async function knownSales({ args, flags, host, warn }: Given, venue: Venue): Promise<SalesKnown> {
  const { addJournals, addWrites, SalesKnown } = await import('./reading/known-sales.ts')
  const known = new SalesKnown()
  await addJournals(
    known,
    venue,
    [args.file, flags.fix].filter((file) => file !== undefined && file !== '-') as string[],
    flags.journal,
  )
  addWrites(known, venue, { path: operationsPath(dataDirectory(host.env)), nowMs: host.now() })
  if (known.troubles.length > 0 && flags.fix !== undefined && flags.force !== true)
    throw usageFailure(
      [`--fix does not know which sales were accepted: ${known.troubles.join('; ')}`],
      'make it readable, or compare without --fix; --force writes the file all the same',
    )
  for (const trouble of known.troubles) await warn(trouble)
  return known
}

/** The sales that `--fix` may write, and the IDs of those that it leaves out because the service may have them. */
export function fixable({ missing }: Report, { doubtful }: SalesKnown, { force }: FixFlags): Fixable {
  const isLeftOut = ({ saleId }: PosSale) => force !== true && doubtful.has(saleId)
  return {
    missing: missing.filter((sale) => !isLeftOut(sale)),
    leftOut: missing.filter(isLeftOut).map(({ saleId }) => saleId),
  }
}

/**
 * Writes the missing sales as `sales import` takes them, and says what they lack for it. Returns how many there are; without any, it writes
 * nothing. Fails: INTERNAL when the file cannot be written; USAGE when it has come to be meanwhile.
 */
export async function writeFix(
  path: string,
  { linesOf }: OpenedPosFile,
  { missing, leftOut }: Fixable,
  { days, say, warn, flags }: FixParts,
): Promise<number> {
  if (leftOut.length > 0)
    await warn(
      `${path}: ${counted(leftOut.length, 'missing sale is', 'missing sales are')} left out, as the service may have them: ${leftOut.slice(0, 10).join(', ')}${leftOut.length > 10 ? ' and more' : ''}; --force writes them, too`,
    )
  if (missing.length === 0) {
    await say(
      `${leftOut.length === 0 ? 'nothing is missing' : 'nothing is certainly missing'}: ${path} was not written`,
    )
    return 0
  }
  const inOrder = [...missing].sort((one, other) => one.line - other.line)
  const lines =
    linesOf === null
      ? inOrder.map((sale) => JSON.stringify(bodyOf(sale, days.timezone)))
      : await linesOf(new Set(inOrder.map(({ line }) => line)))
  checkFix(path)
  writeFileDurably(path, lines.map((line) => `${line}\n`).join(''))
  const count = counted(missing.length, 'missing sale', 'missing sales')
  const profile = flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`
  await say(`${path}: ${count}; nothing was sent: partner sales import ${shellWord(path)}${profile}`)
  for (const [lack, times] of await lacksOf(lines))
    await warn(`${path}: ${lack} in ${counted(times, 'sale', 'sales')}: mend it before the import`)
  const unlinked = missing.filter(({ bookingId, table }) => bookingId === null && table === null).length
  if (unlinked > 0)
    await warn(
      `${path}: ${counted(unlinked, 'sale names', 'sales name')} neither a booking nor a table: the service may have them and list only what is linked`,
    )
  return missing.length
}

/** What `POST /Sales` requires and sales have not, and how many of them. */
async function lacksOf(lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const lacks = new Map<string, number>()
  for (const line of lines) {
    const sale = parseExact(line)
    if (!isJsonObject(sale)) continue
    for (const problem of await problemsOf(sale)) lacks.set(problem, (lacks.get(problem) ?? 0) + 1)
  }
  return lacks
}

async function problemsOf(sale: JsonObject): Promise<readonly string[]> {
  const problems = new Problems()
  const isTimed = ['closedZonedDateTime', 'openedZonedDateTime'].some((member) => sale[member] !== undefined)
  // The import would give it the present.
  if (!isTimed) problems.add('closedZonedDateTime is required to keep its day')
  await validate(createSale.body, saleToCheck(withSaleDefaults(sale, 0)), {}, problems)
  try {
    problems.throwIfAny()
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.lines.length > 0 ? error.lines : [error.words]
  }
}
