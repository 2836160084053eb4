import { closeSync, fsyncSync, openSync } from 'node:fs'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { removeAbandonedWrites } from '../../base/storage/durable-write.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { removeAbandonedCompaction } from '../compacting/compaction.ts'
import type { Copy, CopyState, HoldOptions, Target, TargetContext } from '../copy.ts'
import { holderOf, openLocked } from '../lock-file.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import { changedFailure, committedStateOf, openCommitted, recoveryHint } from './committed.ts'
import { hashTailOfBytes, hashTailOfFile, truncateFile } from './data-file.ts'
import { FileCopy } from './file-copy.ts'
import { companionFiles, statsOf } from './file-location.ts'
import { copyStateOf, emptyState, type FileState, readState, readValidState } from './file-state.ts'
import { allRecords, newestRecords } from './log.ts'
import { copyBytes } from './read-lines.ts'
import { csvFormat, ndjsonFormat, type RowFormat } from './row-format.ts'

export class FileTarget implements Target {
  readonly name: string
  readonly #place: TargetContext

  constructor(path: string, place: TargetContext) {
    this.name = path
    this.#place = place
  }

  async hold(options: HoldOptions): Promise<Copy> {
    const path = this.name
    return openLocked(companionFiles(path).lock, path, options, async (lock) => {
      for (const file of [path, companionFiles(path).state]) removeAbandonedWrites(file)
      removeAbandonedCompaction(path)
      const format = this.#format()
      const state = options.reset ? this.#startOver() : await this.#checked(format, options)
      const overlapMs = Math.max(options.overlapMs, RESOURCES[this.#place.resource].overlapMs)
      return new FileCopy({ path, format, state, overlapMs, lock, startsOver: options.reset })
    })
  }

  async state(): Promise<CopyState | null> {
    const state = this.#storedState()
    return state && copyStateOf(state, holderOf(companionFiles(this.name).lock))
  }

  /** Yields the log's records. Throws USAGE for a CSV file, or if the file has changed since the last sync. */
  async *records(which: 'newest' | 'all' | 'outline' = 'newest'): AsyncIterable<readonly SyncRecord[]> {
    const { resource } = this.#place
    const path = this.name
    if (path.endsWith('.csv'))
      throw usageFailure(
        [`${path} contains only columns, not the records as the service sent them`],
        'use a copy in a .ndjson file, a .db file or PostgreSQL',
      )
    const opened = openCommitted(path)
    if (opened === null) return
    const { descriptor, state } = opened
    try {
      const log = { path, resource: RESOURCES[resource], descriptor, length: state.length }
      yield* which === 'newest' ? newestRecords(log) : allRecords(log)
    } finally {
      closeSync(descriptor)
    }
  }

  async close(): Promise<void> {}

  #format(): RowFormat {
    const { resource, csv } = this.#place
    const rules = RESOURCES[resource]
    if (!this.name.endsWith('.csv')) return ndjsonFormat(rules)
    if (!csv) throw new Error('a CSV file requires column definitions')
    return csvFormat(rules, csv)
  }

  #startOver(): FileState {
    const { source, resource } = this.#place
    const state = readState(companionFiles(this.name).state)
    if (state !== null && state !== 'damaged') this.#requireSameCopy(state)
    return emptyState(source, resource)
  }

  #requireSameCopy(state: FileState): void {
    const { source, resource } = this.#place
    if (state.source === source && state.resource === resource) return
    throw usageFailure(
      [`${this.name} contains the ${state.resource} of ${state.source}, not the ${resource} of ${source}`],
      'choose another file: a file can contain only one kind of record, from one source',
    )
  }

  /**
   * Returns the file's state. Throws USAGE if the file has changed since the last commit or belongs to another copy.
   */
  async #checked(format: RowFormat, { say }: HoldOptions): Promise<FileState> {
    const { source, resource } = this.#place
    const path = this.name
    const stats = statsOf(path)
    const state = this.#storedState()
    if (state === null) return emptyState(source, resource)
    this.#requireSameCopy(state)
    if (stats === null) {
      if (state.cursor !== null) await say(`${path} was deleted: reading everything again`)
      return emptyState(source, resource)
    }
    const found = committedStateOf(path, { ...state, writing: true })
    if (found === null) throw changedFailure(path)
    if (stats.size > found.length) {
      // A run that was killed wrote the extra bytes. The next run reads those records again.
      if (state.writing) truncateFile(path, found.length)
      else {
        const aside = moveExtraBytes(path, found.length)
        const bytes = stats.size - found.length
        await say(
          `warning: another program appended ${bytes} bytes to ${path}; they were moved to ${aside} and are not part of this copy`,
        )
      }
    }
    if (format.header !== '' && found.length > 0) requireHeader(path, format.header, this.#recoveryHint())
    return found
  }

  /**
   * Returns the content of the state file, or `null` if no copy exists. Throws USAGE if only the state file is
   * missing.
   */
  #storedState(): FileState | null {
    const path = this.name
    const { state: statePath } = companionFiles(path)
    const state = readValidState(statePath, this.#recoveryHint())
    if (state === null && (statsOf(path)?.size ?? 0) > 0)
      throw usageFailure([`${path} is not empty, but its state file, ${statePath}, is missing`], this.#recoveryHint())
    return state
  }

  #recoveryHint(): string {
    return recoveryHint(this.name)
  }
}

function requireHeader(path: string, header: string, hint: string): void {
  const bytes = Buffer.from(header)
  if (hashTailOfFile(path, bytes.length) === hashTailOfBytes(bytes)) return
  throw usageFailure([`the columns in ${path} differ from those that this version of partner writes`], hint)
}

/**
 * Moves the bytes after `length` to `x.ndjson.appended` and flushes them to disk. Throws INTERNAL if that fails, or
 * USAGE if `x.ndjson.appended` is not a regular file.
 */
function moveExtraBytes(path: string, length: number): string {
  const aside = `${path}.appended`
  try {
    const from = openSync(path, 'r')
    try {
      const to = openOwnFile(aside, 'append')
      try {
        copyBytes(from, { from: length, to: Number.POSITIVE_INFINITY }, to, null)
        fsyncSync(to)
      } finally {
        closeSync(to)
      }
    } finally {
      closeSync(from)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INTERNAL', `cannot write ${aside}: ${describeSystemError(error)}`, {
      hint: `nothing was changed; make that file writable: it must receive the text that another program appended to ${path}`,
      cause: error,
    })
  }
  truncateFile(path, length)
  return aside
}
