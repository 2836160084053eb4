import { type Failure, usageFailure } from '../../../base/failure/failure.ts'
import { isSameService } from '../../same-service.ts'
import type { JournalFor, readHeader } from './entry.ts'

/** The header of a journal; 'newer' for one of a later release, null when it is not a journal. */
export type Header = ReturnType<typeof readHeader>

/** The header of a journal of this release or an earlier one. */
export type ReadableHeader = Exclude<Header, 'newer' | null>

/** Returns the header if it is for the same command, service and profile. Fails: USAGE. */
export function requireSame(path: string, found: Header, what: JournalFor): ReadableHeader {
  if (found === null) throw damaged(path, 1)
  if (found === 'newer')
    throw usageFailure([`a newer partner wrote the journal ${path}; nothing was sent`], 'update partner')
  const isSame = found.command === what.command && isSameService(found.service, what.service)
  if (isSame && found.profile === what.profile) return found
  throw usageFailure(
    [`the journal ${path} is of ${inWords(found)}, and this is ${inWords(what)}; nothing was sent`],
    'use the profile of that run, or give this one a journal of its own with --journal FILE',
  )
}

function inWords({ command, service, profile }: JournalFor): string {
  return `${command} to ${service}${profile === null || profile === service ? '' : ` with profile ${profile}`}`
}

/** The failure for a journal with a line that cannot be read. */
export function damaged(path: string, line: number): Failure {
  return unusable(`the journal ${path} is damaged in line ${line}`)
}

/** The failure for a journal whose lines do not follow one another. */
export function outOfOrder(path: string, line: number): Failure {
  return unusable(`the journal ${path} has missing, added or moved lines before line ${line}`)
}

function unusable(why: string): Failure {
  return usageFailure(
    [`${why}, and was left as it is; nothing was sent`],
    'it says which lines were sent: put an intact copy back; without it, look in the service for what it has before you move the journal away',
  )
}
