import { join } from 'node:path'
import { dataDirectory, ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { removeAbandonedWrites, writeFileDurably } from '../../base/storage/durable-write.ts'
import type { Lock } from '../../base/storage/lock.ts'
import { fileNameFor } from '../../base/windows-names.ts'
import type { Copy, CopyState, Counts, HoldOptions, Outlet, RunNote, Target, TargetContext } from '../copy.ts'
import { NO_COUNTS } from '../copy.ts'
import { holderOf, openLocked } from '../lock-file.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import type { FileState } from './file-state.ts'
import { copyStateOf, cursorOf, emptyState, formatState, readValidState, stateAfter } from './file-state.ts'
import { hashText } from './hash-table.ts'
import { Versions } from './versions.ts'

/** An NDJSON stream. Its records are not stored, but its state is, in the data directory. */
export class StreamTarget implements Target {
  readonly name = '-'
  readonly #place: TargetContext
  readonly #outlet: Outlet
  readonly #path: string

  /** Throws USAGE if the data directory is invalid. */
  constructor(place: TargetContext) {
    if (!place.stdout) throw new Error('a stream requires an output')
    this.#place = place
    this.#outlet = place.stdout
    const { source, resource, env } = place
    this.#path = join(dataDirectory(env), 'sync', `${resource}-${fileName(source)}.state`)
  }

  async hold(options: HoldOptions): Promise<Copy> {
    const { resource, source, env } = this.#place
    ensurePrivateDirectory(join(dataDirectory(env), 'sync'))
    const what = `the stream with the ${resource} of ${source}`
    return openLocked(`${this.#path}.lock`, what, options, async (lock) => {
      removeAbandonedWrites(this.#path)
      const state = (options.reset ? null : this.#read()) ?? emptyState(source, resource)
      const overlapMs = Math.max(options.overlapMs, RESOURCES[resource].overlapMs)
      return new StreamCopy({ path: this.#path, outlet: this.#outlet, state, overlapMs, lock })
    })
  }

  async state(): Promise<CopyState | null> {
    const state = this.#read()
    return state && copyStateOf(state, holderOf(`${this.#path}.lock`))
  }

  async *records(): AsyncIterable<readonly SyncRecord[]> {}

  async close(): Promise<void> {}

  #read(): FileState | null {
    return readValidState(this.#path, 'to deliver all records again, use --reset')
  }
}

interface StreamCopyParts {
  readonly path: string
  readonly outlet: Outlet
  readonly state: FileState
  readonly overlapMs: number
  readonly lock: Lock
}

/** A locked stream. Its cursor advances only after the pipe has accepted the records. */
class StreamCopy implements Copy {
  readonly #parts: StreamCopyParts
  readonly #versions: Versions
  #state: FileState
  #counts = { ...NO_COUNTS }

  constructor(parts: StreamCopyParts) {
    this.#parts = parts
    this.#state = parts.state
    this.#versions = new Versions(parts.state.versions)
  }

  get cursorMs(): number | null {
    return cursorOf(this.#state)
  }

  get memo(): string | null {
    return this.#state.memo
  }

  async add(records: readonly SyncRecord[]): Promise<void> {
    const leastMs = this.#fromMs(this.cursorMs)
    let text = ''
    for (const record of records) {
      if (this.#versions.recognize(record.version, record, leastMs)) this.#counts.unchanged++
      else {
        this.#versions.add(record.version, record, leastMs)
        this.#counts.added++
        text += `${record.text}\n`
      }
    }
    await this.#parts.outlet.write(text)
  }

  async commit(cursorMs: number, note: RunNote): Promise<Counts> {
    const { outlet, path } = this.#parts
    await outlet.flush()
    const done = this.#counts
    const versions = this.#versions.recent(this.#fromMs(cursorMs), cursorMs)
    this.#state = { ...stateAfter(this.#state, cursorMs, note, done), versions }
    writeFileDurably(path, formatState(this.#state))
    this.#counts = { ...NO_COUNTS }
    return done
  }

  async close(): Promise<void> {
    this.#parts.lock.release()
  }

  #fromMs(cursorMs: number | null): number {
    return (cursorMs ?? Number.NEGATIVE_INFINITY) - this.#parts.overlapMs
  }
}

function fileName(source: string): string {
  const name = source.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60)
  return name === source && !name.startsWith('.') ? fileNameFor(name) : `${name}-${hashText(source).slice(0, 8)}`
}
