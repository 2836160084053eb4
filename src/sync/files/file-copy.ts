import { closeSync, openSync, statSync } from 'node:fs'
import { openReplacement, type Replacement, writeFileDurably } from '../../base/storage/durable-write.ts'
import type { Lock } from '../../base/storage/lock.ts'
import { cancelCompaction, replaceAsRequested } from '../compacting/compaction.ts'
import { type Copy, type Counts, NO_COUNTS, type RunNote } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import { DataFile, hashTail, requireLength, truncateFile } from './data-file.ts'
import { companionFiles, statsOf } from './file-location.ts'
import { cursorOf, type FileState, formatState, type RewrittenState, stateAfter } from './file-state.ts'
import { hashText } from './hash-table.ts'
import { logLines } from './log.ts'
import type { RowFormat } from './row-format.ts'
import { Versions } from './versions.ts'

const STEP_LENGTH = 512 * 1024
/** How often a waiting sync checks for a request to replace its log with a compacted one. */
const LOOK_EVERY_MS = 500

export interface FileCopyParts {
  readonly path: string
  readonly format: RowFormat
  readonly state: FileState
  /** Whether the file must be emptied before the first write. */
  readonly startsOver: boolean
  /** How many milliseconds before the cursor each run starts reading. */
  readonly overlapMs: number
  readonly lock: Lock
}

/** A locked copy in a file. The file is a log: versions of records are only appended. */
export class FileCopy implements Copy {
  readonly #parts: FileCopyParts
  #versions: Versions
  #state: FileState
  #file: DataFile | null = null
  #mustEmpty: boolean
  #counts = { ...NO_COUNTS }
  readonly #looking: NodeJS.Timeout | undefined

  constructor(parts: FileCopyParts) {
    this.#parts = parts
    this.#state = parts.state
    this.#mustEmpty = parts.startsOver
    this.#versions = new Versions(parts.state.length === 0 ? null : parts.state.versions)
    if (parts.format.header === '') {
      this.#compactIfAsked()
      this.#looking = setInterval(() => this.#compactIfAsked(), LOOK_EVERY_MS).unref()
    }
  }

  get cursorMs(): number | null {
    return cursorOf(this.#state)
  }

  get memo(): string | null {
    return this.#state.memo
  }

  async add(records: readonly SyncRecord[]): Promise<void> {
    const { format } = this.#parts
    const leastMs = this.#fromMs(this.cursorMs)
    for (const record of records) {
      const line = format.line(record)
      const key = format.key(record, line)
      const isKnown = this.#isKnown(key, record, leastMs)
      if (isKnown && !record.isCorrection) this.#counts.unchanged++
      else {
        this.#counts[this.#versions.add(key, record, leastMs)]++
        this.#open().append(line)
      }
    }
  }

  async commit(cursorMs: number, note: RunNote): Promise<Counts> {
    const { path } = this.#parts
    const done = this.#counts
    // The first commit creates the file even if it has no records.
    const file = this.cursorMs === null ? this.#open() : this.#file
    if (file) {
      file.sync()
      file.requireUnchanged()
    } else requireLength(path, this.#state.length)
    const length = file?.length ?? this.#state.length
    this.#state = {
      ...stateAfter(this.#state, cursorMs, note, done),
      length,
      tail: file ? hashTail(file.descriptor, length) : this.#state.tail,
      versions: this.#versions.recent(this.#fromMs(cursorMs), cursorMs),
    }
    this.#save(this.#state)
    this.#counts = { ...NO_COUNTS }
    // Close the file, so that the next append reopens it and sets the `writing` flag in the state.
    file?.close()
    this.#file = null
    if (this.#looking) this.#compactIfAsked()
    return done
  }

  /** Immediately rewrites the file without the given records. Added records must be committed first. */
  async remove(ids: readonly string[]): Promise<void> {
    if (this.#file) throw new TypeError('commit before removing records')
    const { path } = this.#parts
    const { length, tail, rows, versions } = this.#state
    requireLength(path, length)
    const replacement = openReplacement(path, statSync(path).mode & 0o777)
    try {
      const rest = rewriteLog(path, this.#state, replacement, new Set(ids))
      if (rest.rows === rows) return
      const state = { ...this.#state, ...rest }
      this.#save({ ...state, before: { length, tail, rows, versions } })
      replacement.put()
      this.#state = state
      this.#save(state)
      cancelCompaction(path)
    } finally {
      replacement.discard()
    }
    this.#versions = new Versions(this.#state.versions)
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    try {
      if (this.#file) {
        this.#file.truncateTo(this.#state.length)
        this.#file.close()
        this.#save(this.#state)
      }
    } catch {
      // The next run sees that the `writing` flag is set and truncates the file.
    } finally {
      this.#file = null
      this.#parts.lock.release()
    }
  }

  #isKnown(key: string, record: SyncRecord, leastMs: number): boolean {
    if (this.#versions.recognize(key, record, leastMs)) return true
    if (this.#versions.hasAllVersions) return false
    const file = this.#open()
    this.#versions.fill(this.#parts.format.rows(file.descriptor, this.#state.length))
    return this.#versions.recognize(key, record, leastMs)
  }

  #open(): DataFile {
    if (this.#file) return this.#file
    // Check the length before setting `writing`. Otherwise, bytes that another program appended would be mistaken for
    // those of an interrupted run.
    if (!this.#mustEmpty && this.#state.length > 0) requireLength(this.#parts.path, this.#state.length)
    this.#save({ ...this.#state, writing: true })
    if (this.#mustEmpty && statsOf(this.#parts.path)) {
      truncateFile(this.#parts.path, 0)
      cancelCompaction(this.#parts.path)
    }
    this.#mustEmpty = false
    this.#file = new DataFile(this.#parts.path, this.#state.length)
    if (this.#state.length === 0) this.#file.append(this.#parts.format.header)
    return this.#file
  }

  /** Replaces the file as `bookings sync compact` has requested, unless records are being added to it. */
  #compactIfAsked(): void {
    if (this.#file || this.#mustEmpty) return
    const { path } = this.#parts
    this.#state = replaceAsRequested(path, this.#state, (state) => this.#save(state)) ?? this.#state
  }

  /** Returns the time of the earliest change that a run with this cursor requests. */
  #fromMs(cursorMs: number | null): number {
    return (cursorMs ?? Number.NEGATIVE_INFINITY) - this.#parts.overlapMs
  }

  #save(state: FileState): void {
    writeFileDurably(companionFiles(this.#parts.path).state, formatState(state))
  }
}

/**
 * Copies a log to a replacement file, leaving out the records that are `gone`. Throws INTERNAL if writing fails, or
 * USAGE if a line is not JSON.
 */
function rewriteLog(path: string, state: FileState, to: Replacement, gone: ReadonlySet<string>): RewrittenState {
  const { length: before, resource, rows, versions } = state
  const droppedVersions = new Set<string>()
  let [length, dropped, pending] = [0, 0, '']
  const write = () => {
    const bytes = Buffer.from(pending)
    to.write(bytes)
    length += bytes.byteLength
    pending = ''
  }
  const descriptor = openSync(path, 'r')
  try {
    for (const { line, record } of logLines({ path, descriptor, length: before, resource: RESOURCES[resource] })) {
      if (gone.has(record.id ?? record.version)) {
        dropped++
        droppedVersions.add(hashText(record.version))
      } else pending += `${line}\n`
      if (pending.length >= STEP_LENGTH) write()
    }
  } finally {
    closeSync(descriptor)
  }
  write()
  const left = versions.filter(([hash]) => !droppedVersions.has(hash))
  return { length, tail: hashTail(to.descriptor, length), rows: rows - dropped, versions: left }
}
