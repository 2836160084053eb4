import { closeSync, fchmodSync, fstatSync, fsyncSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { attempt } from '../../base/attempt.ts'
import { Failure, shortenQuotes, usageFailure } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { removeAbandonedWrites } from '../../base/storage/durable-write.ts'
import { withLock } from '../../base/storage/lock.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { pause } from '../../http/client/retry.ts'
import type { ResourceName, TargetContext } from '../copy.ts'
import { openCommitted } from '../files/committed.ts'
import { hashTailOfFile } from '../files/data-file.ts'
import { companionFiles, statsOf } from '../files/file-location.ts'
import { FileTarget } from '../files/file-target.ts'
import { NumberTable } from '../files/hash-table.ts'
import { allRecords, type Log } from '../files/log.ts'
import { COMPACT_COMMAND } from '../lock-file.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import { type Compaction, cancelCompaction, readCompaction, writeCompaction } from './compaction.ts'

export interface Compacted {
  /** The profile or service whose records the log contains. */
  readonly source: string
  /** The number of versions in the log before the compaction. */
  readonly versions: number
  /** The number of versions that were removed because the log has a newer version of the same record. */
  readonly dropped: number
  readonly bytesBefore: number
  readonly bytesAfter: number
}

export interface CompactOptions {
  readonly resource: ResourceName
  /** Whether to count the versions without replacing the log. */
  readonly isDryRun: boolean
  readonly env: TargetContext['env']
  readonly signal: AbortSignal
  readonly now: () => number
  readonly say: (line: string) => Promise<void>
}

/** The maximum number of attempts. An attempt fails if another process changes the log other than by appending. */
const ATTEMPTS = 5
const STEP_BYTES = 512 * 1024
const LOOK_EVERY_MS = 50
const REPORT_AFTER_MS = 2000
/** How long to wait for a running sync, which replaces the log between two windows. */
const WAIT_MS = 600_000

/**
 * Compacts a log to the newest version of each record. Replaces the log atomically, even while a sync is running.
 * Throws USAGE if the file is not a log of versions, LOCKED if it cannot be replaced within ten minutes, or INTERNAL if
 * it cannot be written. If this function throws, the log is unchanged.
 */
export async function compactLog(path: string, options: CompactOptions): Promise<Compacted> {
  requireLog(path, options.resource)
  if (options.isDryRun) return (await prepare(path, options, null)).counts
  const locking = { command: COMPACT_COMMAND, what: path, waitMs: REPORT_AFTER_MS }
  return withLock(companionFiles(path).compactLock, () => compactLocked(path, options), locking)
}

async function compactLocked(path: string, options: CompactOptions): Promise<Compacted> {
  removeAbandonedWrites(companionFiles(path).request)
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      cancelCompaction(path)
      // Any process that changes the log, other than by appending to it, removes this file. Create the file before
      // reading the log, so that no such change is missed.
      const to = openOwnFile(companionFiles(path).compacted, 'replace')
      try {
        const { counts, request } = await prepare(path, options, to)
        if (counts.dropped === 0) return counts
        if (await handOver(path, counts.source, request, options)) return counts
      } finally {
        closeSync(to)
      }
    }
  } finally {
    cancelCompaction(path)
  }
  throw new Failure('LOCKED', `other processes keep replacing ${path}`, {
    hint: 'the file is unchanged; try again later',
  })
}

/** Throws USAGE unless the file is a log of the resource. */
function requireLog(path: string, resource: ResourceName): void {
  let why: string | null
  try {
    why = whyNotLog(path, resource)
  } catch (error) {
    if (error instanceof Failure || getSystemErrorCode(error) === null) throw error
    why = describeSystemError(error)
  }
  if (why === null) return
  throw usageFailure(
    [shortenQuotes(`"${path}" is not a log that this command can compact: ${why}`)],
    `choose a log, or create one: partner ${resource} sync --to FILE.ndjson`,
  )
}

function whyNotLog(path: string, resource: ResourceName): string | null {
  if (!path.endsWith('.ndjson')) return 'its name does not end in .ndjson'
  const stats = statsOf(path)
  if (stats === null) return 'it does not exist'
  if (!stats.isFile()) return 'it is not a plain file'
  const opened = openCommitted(path)
  if (opened === null) return `${companionFiles(path).state} is missing`
  closeSync(opened.descriptor)
  const { state } = opened
  return state.resource === resource ? null : `it contains the ${state.resource} of ${state.source}`
}

/** Counts the versions in a log. If `to` is not `null`, writes the newest ones to that file. */
async function prepare(path: string, { resource, signal }: CompactOptions, to: number | null) {
  const opened = openCommitted(path)
  if (opened === null) throw usageFailure([`${path} was deleted during the compaction`])
  const { descriptor, state } = opened
  const { source, length, tail } = state
  try {
    const log = { path, resource: RESOURCES[resource], descriptor, length }
    const output = to === null ? null : openOutput(companionFiles(path).compacted, to, descriptor)
    const lastRows = await indexRows(log, signal)
    let [versions, dropped, bytesAfter] = [0, 0, 0]
    for await (const batch of batches(log, signal))
      for (const { id, bytes, text } of batch) {
        const row = versions++
        if (id !== null && lastRows.get(id) !== row) dropped++
        else {
          const line = bytes ?? Buffer.from(text)
          bytesAfter += line.byteLength + LINE_FEED.byteLength
          output?.add(line)
        }
      }
    const counts: Compacted = { source, versions, dropped, bytesBefore: length, bytesAfter }
    const after = { length: bytesAfter, tail: output?.finish(bytesAfter) ?? '' }
    const request: Compaction = { from: { length, tail }, to: after, dropped }
    return { counts, request }
  } finally {
    closeSync(descriptor)
  }
}

const LINE_FEED = Buffer.from('\n')

/** Returns the row number of each record's last version. Memory use does not depend on the number of versions. */
async function indexRows(log: Log, signal: AbortSignal): Promise<NumberTable> {
  const lastRows = new NumberTable()
  let row = 0
  for await (const batch of batches(log, signal))
    for (const { id } of batch) {
      if (id !== null) lastRows.set(id, row)
      row++
    }
  return lastRows
}

/** Yields all versions and lets the process react to signals in between. If aborted, throws the signal's reason. */
async function* batches(log: Log, signal: AbortSignal): AsyncGenerator<readonly SyncRecord[]> {
  for (const batch of allRecords(log)) {
    signal.throwIfAborted()
    yield batch
    await setImmediate()
  }
}

/** Returns a writer for the compacted file. The file gets the same mode as the log. */
function openOutput(path: string, to: number, log: number) {
  let pending: Uint8Array[] = []
  let bytes = 0
  const explaining = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new Failure('INTERNAL', `cannot write ${path}: ${describeSystemError(error)}`, {
        hint: 'the log is unchanged; free some space, then run the command again',
        cause: error,
      })
    }
  }
  const flush = () => {
    explaining(() => writeFileSync(to, Buffer.concat(pending)))
    pending = []
    bytes = 0
  }
  if (process.platform !== 'win32') explaining(() => fchmodSync(to, fstatSync(log).mode & 0o777))
  return {
    add: (line: Uint8Array) => {
      pending.push(line, LINE_FEED)
      bytes += line.byteLength
      if (bytes >= STEP_BYTES) flush()
    },
    /** Flushes everything to disk and returns a hash of the end of the file. */
    finish: (length: number): string => {
      flush()
      explaining(() => fsyncSync(to))
      return hashTailOfFile(path, length)
    },
  }
}

/**
 * Replaces the log, or asks the process that has locked it to do so. Returns false if the log has changed since it was
 * read. Throws LOCKED after ten minutes.
 */
async function handOver(
  path: string,
  source: string,
  request: Compaction,
  { resource, env, signal, now, say }: CompactOptions,
): Promise<boolean> {
  const began = monotonicMs()
  const target = new FileTarget(path, { resource, source, env })
  const holding = { reset: false, standby: false, leaseMs: 0, overlapMs: 0, command: COMPACT_COMMAND, signal, say }
  let hasReported = false
  writeCompaction(path, request)
  for (;;) {
    let locked: Failure | null = null
    try {
      // Opening the copy replaces the log as requested, unless another process has locked the copy.
      await (await target.hold(holding)).close()
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'LOCKED') throw error
      locked = error
    }
    const left = readCompaction(path)
    if (left?.error !== undefined) throw new Failure('INTERNAL', left.error, { hint: 'the log is unchanged' })
    if (left === null) return attempt(() => hashTailOfFile(path, request.to.length) === request.to.tail, false)
    const waitedMs = monotonicMs() - began
    if (locked !== null && waitedMs > WAIT_MS) throw locked
    if (locked !== null && waitedMs > REPORT_AFTER_MS && !hasReported) {
      hasReported = true
      await say(`${locked.words}; waiting until that run finishes its current window`)
    }
    await pause(LOOK_EVERY_MS, { signal, now })
  }
}
