import { closeSync } from 'node:fs'
import { type Failure, usageFailure } from '../../../base/failure/failure.ts'
import { readChunks, splitLines } from '../../../base/storage/lines.ts'
import { openOwnFile } from '../../../base/storage/own-file.ts'
import { isSameService } from '../../same-service.ts'
import type { Entry, JournalFor, JournalMoment, LineKey } from './entry.ts'
import { readEntry, readHeader, readSeal } from './entry.ts'

type Header = ReturnType<typeof readHeader>

type ReadableHeader = Exclude<Header, 'newer' | null>

/** The outcome that earlier runs recorded for an ID. */
export type Known = LineKey &
  (
    | {
        readonly state: 'accepted' | 'already-there' | 'rejected'
        readonly status: number | null
        readonly message: string | null
        /** The ID of the operation that was recorded for this write. `null` if the journal does not contain one. */
        readonly operation: string | null
      }
    /** A write with an unknown outcome. `at` is the time of its first attempt. */
    | { readonly state: 'in-doubt'; readonly at: JournalMoment; readonly operation: string | null }
  )

/** The maximum length of a journal line, which may contain a long ID and a long message. */
const MAX_LINE_BYTES = 4 * 1024 * 1024

export interface Reading {
  readonly known: ReadonlyMap<string, Known>
  /** The offset at which the next entry begins, in bytes. */
  readonly end: number
  /** Whether the last entry is complete except for its line break. */
  readonly isCut: boolean
  readonly lastSeal: string
}

/**
 * Reads a journal and closes the descriptor. `check` returns the header, or throws if it is invalid. Throws USAGE if
 * the journal is damaged.
 */
export async function readEntries(path: string, descriptor: number, check: (header: Header) => ReadableHeader) {
  const known = new Map<string, Known>()
  let end = 0
  let hasHeader = false
  let isCut = false
  let lastSeal = ''
  let isChained = false
  try {
    for await (const lines of splitLines(readChunks(descriptor), MAX_LINE_BYTES))
      for (const { line, bytes, end: next, isEnded } of lines) {
        const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8')
        if (!hasHeader) {
          isChained = check(readHeader(text)).isChained
          hasHeader = true
        } else {
          const entry = readEntry(text)
          if (entry === null && isEnded) throw damaged(path, line)
          // An incomplete last line means that the run was killed while it wrote the line.
          if (entry === null) break
          // In a journal that was created in version 1 of the format, the first entries do not contain the previous
          // line's seal.
          isChained ||= entry.after !== undefined
          if (isChained && entry.after !== lastSeal)
            throw unusable(`the journal ${path} has missing, added or moved lines before line ${line}`)
          applyEntry(known, entry)
        }
        end = next
        lastSeal = readSeal(text)
        isCut = !isEnded
      }
  } finally {
    closeSync(descriptor)
  }
  if (!hasHeader) throw damaged(path, 1)
  return { known, end, isCut, lastSeal }
}

function applyEntry(known: Map<string, Known>, entry: Entry): void {
  const { line, id, digest } = entry
  const earlier = known.get(id)
  const doubt = earlier?.state === 'in-doubt' ? earlier : null
  if (entry.state === 'sending') {
    const at = doubt?.at ?? entry.at
    known.set(id, { line, id, digest, state: 'in-doubt', at, operation: entry.operation ?? doubt?.operation ?? null })
  } else if (entry.state !== 'unknown') {
    const { state, status, message } = entry
    known.set(id, { line, id, digest, state, status, message, operation: doubt?.operation ?? null })
  }
}

export type OtherJournal = { readonly for: JournalFor; readonly known: ReadonlyMap<string, Known> }

/**
 * Reads another run's journal without locking it, so the newest entries may be missing. Returns `null` if the file does
 * not exist. If the file is not a journal, returns `null` or, with `isCertain`, throws USAGE. Throws USAGE if the
 * journal is damaged or was written by a newer release. Also throws system errors.
 */
export async function readOtherJournal(path: string, isCertain: boolean): Promise<OtherJournal | null> {
  const descriptor = openOwnFile(path, 'read')
  if (descriptor === null) return null
  let what: JournalFor | null = null
  let isJournal = true
  try {
    const { known } = await readEntries(path, descriptor, (header) => {
      isJournal = header !== null
      if (header === null) throw damaged(path, 1)
      if (header === 'newer')
        throw usageFailure([`the journal ${path} was written by a newer version of partner`], 'update partner')
      what = header
      return header
    })
    return what && { for: what, known }
  } catch (error) {
    if (!isJournal && !isCertain) return null
    throw error
  }
}

/** Returns the header if it names the same command, service and profile. Throws USAGE if it does not. */
export function requireSame(path: string, found: Header, what: JournalFor): ReadableHeader {
  if (found === null) throw damaged(path, 1)
  if (found === 'newer')
    throw usageFailure(
      [`the journal ${path} was written by a newer version of partner; nothing was sent`],
      'update partner',
    )
  const isSame = found.command === what.command && isSameService(found.service, what.service)
  if (isSame && found.profile === what.profile) return found
  throw usageFailure(
    [`the journal ${path} belongs to ${describeRun(found)}, but this is ${describeRun(what)}; nothing was sent`],
    'use the profile of that run, or use a separate journal for this run with --journal FILE',
  )
}

function describeRun({ command, service, profile }: JournalFor): string {
  return `${command} to ${service}${profile === null || profile === service ? '' : ` with profile ${profile}`}`
}

function damaged(path: string, line: number): Failure {
  return unusable(`the journal ${path} is damaged at line ${line}`)
}

function unusable(why: string): Failure {
  return usageFailure(
    [`${why}; it was left unchanged, and nothing was sent`],
    'the journal records which lines were sent: restore an intact copy, or check what the service has before you move the journal aside',
  )
}
