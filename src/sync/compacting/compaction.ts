import { closeSync, fstatSync, fsyncSync, openSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { Failure } from '../../base/failure/failure.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { syncDirectory, writeFileDurably } from '../../base/storage/durable-write.ts'
import { tryLock } from '../../base/storage/lock.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { removeFile, renameFile } from '../../base/storage/rename-remove.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { hashTail, hashTailOfFile } from '../files/data-file.ts'
import { companionFiles, statsOf } from '../files/file-location.ts'
import type { FileState } from '../files/file-state.ts'
import { copyBytes } from '../files/read-lines.ts'

/**
 * A request to replace a log with the compacted file (`compacted` in {@link companionFiles}). Only the process that has
 * locked the log may replace it. A sync may hold the lock for days, so it checks for requests between its runs.
 */
export interface Compaction {
  /** The part of the log that the compacted file replaces. */
  readonly from: Part
  /** The compacted file. */
  readonly to: Part
  /** The number of versions that the compacted file omits. */
  readonly dropped: number
  /** The message of the error that prevented the replacement. */
  readonly error?: string | undefined
}

/** The beginning of a file. `length` is in bytes, and `tail` is a hash of the last of these bytes. */
interface Part {
  readonly length: number
  readonly tail: string
}

/** Reads the request to compact a log. Returns `null` if there is none. Throws USAGE if it is not a plain file. */
export function readCompaction(path: string): Compaction | null {
  const request: unknown = parseJsonOrNull(readOwnText(companionFiles(path).request) ?? '')
  return isCompaction(request) ? request : null
}

/** Writes a request to replace a log. Throws INTERNAL if it cannot be written. */
export function writeCompaction(path: string, request: Compaction): void {
  writeFileDurably(companionFiles(path).request, `${JSON.stringify(request)}\n`)
}

/** Removes a request and its compacted file. Call this after every change to the log that is not an append. */
export function cancelCompaction(path: string): void {
  const { compacted, request } = companionFiles(path)
  removeFile(compacted)
  removeFile(request)
}

/**
 * Removes the files that a killed compaction left behind. The caller has locked the log. Throws the same errors as
 * {@link tryLock}.
 */
export function removeAbandonedCompaction(path: string): void {
  const { compacted, request, compactLock } = companionFiles(path)
  if (statsOf(compacted) === null && statsOf(request) === null) return
  const lock = tryLock(compactLock)
  if (lock === null) return
  cancelCompaction(path)
  lock.release()
}

/**
 * Replaces a log as requested and returns its new state. The caller has locked the log, and `state` describes it
 * exactly. Returns `null` if there is no request, or if the request does not match the files. If an error occurs,
 * stores it in the request and returns `null`. If the process is killed, the log matches one of the two states that
 * `save` has stored.
 */
export function replaceAsRequested(path: string, state: FileState, save: (state: FileState) => void): FileState | null {
  let request: Compaction | null = null
  try {
    request = readCompaction(path)
    if (request === null || request.error !== undefined) return null
    const replaced = replace(path, state, request, save)
    removeFile(companionFiles(path).request)
    return replaced
  } catch (error) {
    if (request !== null) reportTo(path, request, error)
    return null
  }
}

function replace(path: string, state: FileState, request: Compaction, save: (state: FileState) => void) {
  const { compacted } = companionFiles(path)
  const { length, tail, rows, versions } = state
  const { from, to, dropped } = request
  const descriptor = openUnlessMissing(compacted)
  if (descriptor === null) return null
  let after: FileState
  try {
    const fits = length >= from.length && hashTailOfFile(path, from.length) === from.tail
    if (!fits || fstatSync(descriptor).size !== to.length || hashTail(descriptor, to.length) !== to.tail) return null
    // Append the versions that a sync has added since the compacted file was written.
    const log = openSync(path, 'r')
    try {
      copyBytes(log, { from: from.length, to: length }, descriptor, to.length)
    } finally {
      closeSync(log)
    }
    fsyncSync(descriptor)
    const newLength = to.length + length - from.length
    after = { ...state, length: newLength, tail: hashTail(descriptor, newLength), rows: rows - dropped }
  } finally {
    closeSync(descriptor)
  }
  save({ ...after, before: { length, tail, rows, versions } })
  renameFile(compacted, path)
  // If the final state cannot be saved, the stored state still describes both files. The next commit replaces it.
  attempt(() => {
    syncDirectory(path)
    save(after)
  }, null)
  return after
}

function openUnlessMissing(path: string): number | null {
  try {
    return openSync(path, 'r+')
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

function reportTo(path: string, request: Compaction, error: unknown): void {
  try {
    const words = error instanceof Failure ? error.words : `cannot replace ${path}: ${describeSystemError(error)}`
    writeCompaction(path, { ...request, error: words })
  } catch {
    // The error cannot be recorded, for example because the disk is full. The requesting command times out instead.
  }
}

function isCompaction(value: unknown): value is Compaction {
  const { from, to, dropped } = Object(value) as Partial<Record<keyof Compaction, unknown>>
  return isPart(from) && isPart(to) && Number.isSafeInteger(dropped)
}

function isPart(value: unknown): value is Part {
  const { length, tail } = Object(value) as Partial<Record<keyof Part, unknown>>
  return Number.isSafeInteger(length) && typeof tail === 'string'
}
