import { createReadStream, fsync, lstatSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { formatCount } from '../../../base/counted.ts'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { openReplacement } from '../../../base/storage/durable-write.ts'
import { discard, removeFile } from '../../../base/storage/rename-remove.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { type ClosedPart, closedPartsOf } from './closed-days.ts'
import { isHandledLine, readDelivery } from './entry.ts'
import { readClosedLines } from './read-journal.ts'

/** Which deliveries of a journal to keep. */
export interface Keeping {
  /** How long to keep deliveries that were handled, in milliseconds. */
  readonly keepMs: number
  readonly now: () => number
  readonly report: (line: string) => void
}

/**
 * Compresses the closed days of a journal and drops old deliveries that were handled. Each step replaces or removes one
 * file atomically. If the listener is killed, it leaves at most a temporary file, or both versions of a compressed
 * file.
 */
export class Upkeep {
  readonly #path: string
  readonly #keeping: Keeping
  readonly #busy: ReadonlyMap<string, unknown>
  /** The number of remaining deliveries in each part whose old deliveries have been dropped. */
  readonly #leftOver = new Map<string, number>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null
  #isAsked = false
  readonly #reported = new Set<string>()

  /** `busy` contains the paths of closed files that still have unanswered deliveries. */
  constructor(path: string, keeping: Keeping, busy: ReadonlyMap<string, unknown>) {
    this.#path = path
    this.#keeping = keeping
    this.#busy = busy
  }

  /** Drops old deliveries and compresses closed days. If a run is in progress, repeats it afterwards. Never throws. */
  run(): Promise<void> {
    this.#isAsked = true
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Stops the work. The next listener resumes it. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #runAll(): Promise<void> {
    while (this.#isAsked && !this.#stopping.signal.aborted) {
      this.#isAsked = false
      // Drop deliveries first, because compressing is impossible on a full disk.
      await this.#each(async (part) => {
        if (this.#isOld(part)) await this.#dropHandled(part)
      })
      this.#reportLeftOver()
      await this.#each((part) => this.#compress(part))
    }
  }

  /** Calls `work` for each closed part whose deliveries have all been answered. Reports errors and continues. */
  async #each(work: (part: ClosedPart) => Promise<void>): Promise<void> {
    try {
      for (const part of closedPartsOf(this.#path)) {
        if (this.#busy.has(part.plain)) continue
        await work(part).catch((error: unknown) => this.#reportError(error))
        if (this.#stopping.signal.aborted) return
      }
    } catch (error) {
      this.#reportError(error)
    }
  }

  /** Returns whether all deliveries in a part are older than `keepMs`. */
  #isOld({ day }: ClosedPart): boolean {
    return (day + 1) * DAY_MS <= this.#oldestKeptMs()
  }

  #oldestKeptMs(): number {
    return this.#keeping.now() - this.#keeping.keepMs
  }

  async #compress(part: ClosedPart): Promise<void> {
    if (!part.hasPlain) return
    if (!part.hasCompressed) await this.#replace(part, createReadStream(part.plain))
    // The compressed file is complete. A listener was killed before it removed the uncompressed one.
    else discard(part.plain, 0)
  }

  async #dropHandled(part: ClosedPart): Promise<void> {
    if (this.#leftOver.has(part.compressed)) return
    const oldestMs = this.#oldestKeptMs()
    const isKept = (line: Uint8Array) => !isHandledLine(line) || !(timeOf(line) < oldestMs)
    let [kept, dropped] = [0, 0]
    for await (const line of linesOf(part)) {
      this.#stopping.signal.throwIfAborted()
      if (isKept(line)) kept++
      else dropped++
    }
    if (kept === 0) {
      removeFile(part.plain)
      removeFile(part.compressed)
      return
    }
    if (dropped > 0) await this.#replace(part, onlyKept(part, isKept))
    // Closed files never change, so each is checked only once.
    this.#leftOver.set(part.compressed, kept)
  }

  /** Writes the compressed file, then removes the uncompressed one. */
  async #replace(part: ClosedPart, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { signal } = this.#stopping
    const { createGzip } = await import('node:zlib')
    const from = part.hasCompressed ? part.compressed : part.plain
    const replacement = openReplacement(part.compressed, lstatSync(from).mode & 0o777)
    try {
      const write = async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) replacement.write(chunk)
      }
      await pipeline(content, createGzip(), write, { signal })
      // Flush here without blocking deliveries, so that the blocking flush in `put` has little left to do.
      await promisify(fsync)(replacement.descriptor)
      signal.throwIfAborted()
      replacement.put()
    } finally {
      replacement.discard()
    }
    discard(part.plain, 0)
  }

  #reportLeftOver(): void {
    const [first, ...others] = [...this.#leftOver]
    if (first === undefined) return
    const count = others.reduce((sum, [, kept]) => sum + kept, first[1])
    const files = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other file')}`
    const [are, they] = count === 1 ? ['is', 'it stays'] : ['are', 'they stay']
    this.#reportOnce(
      `${formatCount(count, 'delivery', 'deliveries')} in ${first[0]}${files} ${are} older than ${formatDuration(this.#keeping.keepMs)}, but not known to be handled, so ${they} there`,
    )
  }

  #reportError(error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#reportOnce(`${error instanceof Failure ? error.words : describeSystemError(error)}; will try again later`)
  }

  #reportOnce(line: string): void {
    if (this.#reported.has(line)) return
    this.#reported.add(line)
    this.#keeping.report(line)
  }
}

const LINE_FEED = Buffer.from('\n')

/** Yields the lines of a part, except blank ones. Throws USAGE if a line is too long to be read. */
async function* linesOf(part: ClosedPart): AsyncGenerator<Uint8Array> {
  for await (const lines of readClosedLines(part))
    for (const { bytes, line } of lines) {
      if (bytes === null) throw usageFailure([`line ${line} of ${part.compressed} is too long`])
      if (bytes.byteLength > 0) yield bytes
    }
}

async function* onlyKept(part: ClosedPart, isKept: (line: Uint8Array) => boolean): AsyncGenerator<Uint8Array> {
  for await (const line of linesOf(part)) if (isKept(line)) yield Buffer.concat([line, LINE_FEED])
}

function timeOf(line: Uint8Array): number {
  return readDelivery(Buffer.from(line).toString('utf8'))?.timeMs ?? Number.NaN
}
