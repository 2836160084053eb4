import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure, usageFailure } from '../../../../base/failure/failure.ts'
import { dataDirectory } from '../../../../base/storage/directories.ts'
import { describeSystemError } from '../../../../base/storage/system-error.ts'
import { readOtherJournal } from '../../../../client/bulk/journal/reading.ts'
import { isSameService } from '../../../../client/same-service.ts'
import { operationsPath } from '../../../../money/operations/file.ts'
import { SALE } from '../../../../money/sales.ts'
import { readAllWrites } from '../../../shared/all-writes.ts'
import type { CopyOwner as Venue } from '../../../shared/copies.ts'
import type { ReconcileParts } from '../arguments.ts'
import type { KnownSales } from '../ledger.ts'

const SUFFIX = '.journal'
const IMPORT = 'sales import'

/** Collects the sales that this machine sent earlier. Each is either `accepted` or `doubtful`. */
class KnownSalesCollector implements KnownSales {
  readonly accepted = new Map<string, string>()
  readonly doubtful = new Map<string, string>()
  readonly problems: string[] = []

  /**
   * Adds a sale that was sent earlier. `match` is `maybe` if the sale's service or profile is unknown, so that the sale
   * may belong to a different venue.
   */
  add(saleId: string, { state, source, match }: { state: State; source: string; match: 'same' | 'maybe' }): void {
    if (state === 'accepted' && match === 'same') {
      this.accepted.set(saleId, source)
      this.doubtful.delete(saleId)
    } else if (!this.accepted.has(saleId)) this.doubtful.set(saleId, `${WORDS[state]} (${source})`)
  }
}

type State = 'accepted' | 'already-there' | 'in-doubt'

const WORDS: Readonly<Record<State, string>> = {
  accepted: 'it was accepted earlier, possibly for another venue',
  'already-there': 'the service responded with 409 earlier: it has a sale with this ID',
  'in-doubt': 'it was sent earlier, but it is unknown whether it arrived',
}

/**
 * Reads the sales that this machine sent earlier. Warns if some records are unreadable. With `--fix` but without
 * `--force`, throws USAGE instead.
 */
export async function readKnownSales({ args, flags, host, warn }: ReconcileParts, venue: Venue): Promise<KnownSales> {
  const known = new KnownSalesCollector()
  const files = [args.file, flags.fix].filter((file) => file !== undefined && file !== '-') as string[]
  await addJournals(known, venue, files, flags.journal ?? [])
  addWrites(known, venue, operationsPath(dataDirectory(host.env)), host.now())
  if (known.problems.length > 0 && flags.fix !== undefined && flags.force !== true)
    throw usageFailure(
      [`--fix cannot tell which sales were accepted: ${known.problems.join('; ')}`],
      'fix these problems, or compare without --fix; to write the file anyway, add --force',
    )
  for (const trouble of known.problems) await warn(trouble)
  return known
}

/**
 * Adds the sales in the given journals, in the journals of the given files, and in any other journal next to those
 * files or in the current directory. The files need not exist.
 */
async function addJournals(
  known: KnownSalesCollector,
  venue: Venue,
  files: readonly string[],
  journals: readonly string[],
): Promise<void> {
  const named = new Set(journals.map(resolveRealPath))
  const found = new Map([...findJournals(known, files), ...[...named].map((path) => [path, true] as const)])
  for (const [path, isOurs] of found) {
    try {
      const journal = await readOtherJournal(path, isOurs)
      const match = journal?.for.command === IMPORT ? compareVenues(journal.for, venue) : 'other'
      if (journal === null || match === 'other') {
        if (named.has(path)) known.problems.push(`${path} is not a sales import journal for this venue`)
        continue
      }
      for (const { id, state } of journal.known.values())
        if (state !== 'rejected') known.add(id, { state, source: basename(path), match })
    } catch (error) {
      known.problems.push(error instanceof Failure ? error.message : `${path}: ${describeSystemError(error)}`)
    }
  }
}

function addWrites(known: KnownSalesCollector, venue: Venue, path: string, nowMs: number): void {
  if (!existsSync(path)) return
  try {
    for (const write of readAllWrites(path, nowMs).writes) {
      const match = compareVenues(write, venue)
      if (write.command !== SALE || match === 'other') continue
      known.add(write.target, { state: write.isOpen ? 'in-doubt' : 'accepted', source: write.id, match })
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    known.problems.push(error.message)
  }
}

/** Returns the path of each journal to read, and whether the journal is known to belong to one of the files. */
function findJournals(known: KnownSalesCollector, files: readonly string[]): ReadonlyMap<string, boolean> {
  // An import creates its journal next to the real file, even if it was given a symbolic link.
  const paths = new Set(files.flatMap((file) => [resolve(file), resolveRealPath(file)]))
  const found = new Map([...paths].map((path) => [`${path}${SUFFIX}`, true]))
  for (const directory of new Set([...[...paths].map((path) => dirname(path)), resolve('.')])) {
    try {
      for (const name of readdirSync(directory).sort()) {
        const path = join(directory, name)
        if (name.endsWith(SUFFIX) && !found.has(path)) found.set(path, false)
      }
    } catch (error) {
      known.problems.push(`${directory}: ${describeSystemError(error)}`)
    }
  }
  return found
}

/** Resolves symbolic links. If the file does not exist yet or is a pipe, returns its absolute path. */
function resolveRealPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return resolve(file)
  }
}

/** Compares a write's venue with this venue. One service may have many venues, each with its own profile. */
function compareVenues(write: Venue, { service, profile }: Venue): 'same' | 'maybe' | 'other' {
  if (service !== null && !isSameService(write.service, service)) return 'other'
  if (service !== null && write.profile === profile) return 'same'
  return write.profile === profile || write.profile === null || profile === null ? 'maybe' : 'other'
}
