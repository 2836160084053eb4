import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { bodyOf } from '../../books/reconcile/fix.ts'
import type { Days, Report } from '../../books/reconcile/ledger.ts'
import type { CommonFlags } from '../../cli/input/command-line.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { createSale } from '../../contract/sales.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { shellWord } from '../../failure/shell-word.ts'
import { isJsonObject, type JsonObject, parseExact } from '../../json/exact.ts'
import { writeFileDurably } from '../../storage/durable-write.ts'
import { describeSystemError, getSystemErrorCode } from '../../storage/system-error.ts'
import { counted } from '../../views/wording.ts'
import type { OpenedPosFile } from './_closings.ts'
import { saleToCheck, withSaleDefaults } from './_flags.ts'

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

interface FixParts {
  readonly days: Days
  readonly say: (line: string) => Promise<void>
  readonly warn: (line: string) => Promise<void>
  readonly flags: CommonFlags
}

/**
 * Writes the missing sales as `sales import` takes them, and says what they lack for it. Returns how many there are; without any, it writes
 * nothing. Fails: INTERNAL when the file cannot be written; USAGE when it has come to be meanwhile.
 */
export async function writeFix(
  path: string,
  { linesOf }: OpenedPosFile,
  { missing }: Report,
  { days, say, warn, flags }: FixParts,
): Promise<number> {
  if (missing.length === 0) {
    await say(`nothing is missing: ${path} was not written`)
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
