import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../../../../base/failure/failure.ts'
import { describeSystemError } from '../../../../base/storage/system-error.ts'
import { readOtherJournal } from '../../../../client/bulk/journal/reading.ts'
import { isSameService } from '../../../../client/same-service.ts'
import { SALE } from '../../../../money/sales.ts'
import { allWrites } from '../../../shared/all-writes.ts'
import type { KnownSales } from '../ledger.ts'

/** The venue whose sales are compared. */
export interface Venue {
  /** The service, as journals and operations name it; `null` if it is not known. */
  readonly service: string | null
  /** `null` if no profile is used. */
  readonly profile: string | null
}

const SUFFIX = '.journal'
const IMPORT = 'sales import'

/** Collects what earlier writes say about sales. An acceptance outweighs a doubt. */
export class SalesKnown implements KnownSales {
  readonly accepted = new Map<string, string>()
  readonly doubtful = new Map<string, string>()
  /** Sources that could not be read, in words. */
  readonly troubles: string[] = []

  /**
   * Adds one sale.
   * @param isSame false when the write may have been for another venue, because only one of the two names its profile.
   */
  add(saleId: string, { state, source, isSame }: { state: State; source: string; isSame: boolean }): void {
    if (state === 'accepted' && isSame) {
      this.accepted.set(saleId, source)
      this.doubtful.delete(saleId)
    } else if (!this.accepted.has(saleId)) this.doubtful.set(saleId, `${WORDS[state]} (${source})`)
  }
}

type State = 'accepted' | 'already-there' | 'in-doubt'

const WORDS: Readonly<Record<State, string>> = {
  accepted: 'it was accepted earlier, perhaps for another venue',
  'already-there': 'the service answered 409 earlier: it has a sale with this ID',
  'in-doubt': 'it was sent earlier, and nobody knows whether it arrived',
}

/**
 * Adds what the journals of `sales import` say: those of the files, and all others in the directories of the files and in the working
 * directory. Never fails: `troubles` lists the journals that cannot be read.
 * @param files files of sales, such as FILE and the file of `--fix`; they need not exist.
 * @param journals further journals of this venue, by their paths.
 */
export async function addJournals(
  known: SalesKnown,
  venue: Venue,
  files: readonly string[],
  journals: readonly string[] = [],
): Promise<void> {
  const named = new Set(journals.map(realPathOf))
  const found = new Map([...journalsAt(known, files), ...[...named].map((path) => [path, true] as const)])
  for (const [path, isOurs] of found) {
    try {
      const journal = await readOtherJournal(path, isOurs)
      const match = journal?.for.command === IMPORT ? matchOf(journal.for, venue) : 'other'
      if (journal === null || match === 'other') {
        if (named.has(path)) known.troubles.push(`${path} is not a journal of sales import for this venue`)
        continue
      }
      for (const { id, state } of journal.known.values())
        if (state !== 'rejected') known.add(id, { state, source: basename(path), isSame: match === 'same' })
    } catch (error) {
      known.troubles.push(error instanceof Failure ? error.message : `${path}: ${describeSystemError(error)}`)
    }
  }
}

/** Adds the sales in the record of money writes, as `sales create` keeps it. Never fails: `troubles` says when it cannot be read. */
export function addWrites(
  known: SalesKnown,
  venue: Venue,
  record: { readonly path: string; readonly nowMs: number },
): void {
  if (!existsSync(record.path)) return
  try {
    for (const write of allWrites(record.path, record.nowMs).writes) {
      const match = matchOf(write, venue)
      if (write.command !== SALE || match === 'other') continue
      const state = write.isOpen ? 'in-doubt' : 'accepted'
      known.add(write.target, { state, source: write.id, isSame: match === 'same' })
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    known.troubles.push(error.message)
  }
}

/** The journals to read, and whether each certainly belongs to one of the files. */
function journalsAt(known: SalesKnown, files: readonly string[]): ReadonlyMap<string, boolean> {
  // The import puts its journal next to the file itself, wherever a link to it is.
  const paths = new Set(files.flatMap((file) => [resolve(file), realPathOf(file)]))
  const found = new Map([...paths].map((path) => [`${path}${SUFFIX}`, true]))
  for (const directory of new Set([...[...paths].map((path) => dirname(path)), resolve('.')])) {
    try {
      for (const name of readdirSync(directory).sort()) {
        const path = join(directory, name)
        if (name.endsWith(SUFFIX) && !found.has(path)) found.set(path, false)
      }
    } catch (error) {
      known.troubles.push(`${directory}: ${describeSystemError(error)}`)
    }
  }
  return found
}

/** The file that a path leads to; the path itself when there is no file yet, or it is a pipe. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return resolve(file)
  }
}

/** Whether a write was for this venue. One service may have many venues, each with a profile. */
function matchOf(write: Venue, { service, profile }: Venue): 'same' | 'maybe' | 'other' {
  if (service !== null && !isSameService(write.service, service)) return 'other'
  if (service !== null && write.profile === profile) return 'same'
  return write.profile === profile || write.profile === null || profile === null ? 'maybe' : 'other'
}
