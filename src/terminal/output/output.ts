import type { Writable } from 'node:stream'
import { Failure, messageOf } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { mayBeBare } from '../../base/redaction/bare-text.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { Stopping } from '../runtime/stopping.ts'

/**
 * Thrown when the reader has closed the output, as `| head` does. The command then exits immediately, without a
 * message.
 */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/** Thrown when the command is stopping and the reader does not read the remaining output in time. */
export class ReaderStalled extends Interrupted {}

/**
 * How long, in milliseconds, a slow reader has to read the remaining output after a request to stop. This lets the
 * output end with a complete line.
 */
const PATIENCE_MS = 1500

/** How long, in milliseconds, a write waits for a slow reader before it drops text ({@link Output.dropIfStalled}). */
const STALL_LIMIT_MS = 5000

/** An output stream that waits for slow readers and fails if the reader has closed it. Errors on stderr are ignored. */
export class Output {
  readonly #open: () => Writable
  readonly #stopping: AbortSignal
  readonly #abandoned: AbortSignal
  readonly #name: string
  #stream: Writable | undefined
  #patience: Promise<void> | undefined
  #trouble: NodeJS.ErrnoException | null = null
  readonly hidden: string[] = []
  readonly #data: Output | null
  isQuiet = false
  #dropsIfStalled = false
  #isStalled = false
  #droppedTexts = 0
  #beforeWrite: (text: string) => void = () => {}
  #copy: (text: string) => void = () => {}

  /**
   * Secrets that are hidden in this stream are also hidden in `data`. `open` is called on the first write, because
   * opening takes time. Slow readers have a short time to read the remaining output after `stopRequested` is aborted,
   * and none after `abandoned` is aborted.
   */
  constructor(
    name: 'stdout' | 'stderr',
    open: () => Writable,
    stopping: Pick<Stopping, 'stopRequested' | 'abandoned'>,
    data: Output | null = null,
  ) {
    this.#name = name
    this.#data = data
    this.#open = open
    this.#stopping = stopping.stopRequested
    this.#abandoned = stopping.abandoned
  }

  /** Hides a secret in all later output, because a service may repeat the secret in a message. */
  hide(secret: string): void {
    this.#data?.hide(secret)
    // All-digit secrets are not hidden on stdout, because a number in the data may have the same digits. They have
    // already been hidden in responses.
    if (!this.hidden.includes(secret) && !(this.#name === 'stdout' && mayBeBare(secret))) this.hidden.push(secret)
  }

  /** Sets a function to call before each write. Its argument is the text, or '' if bytes are written. */
  onWrite(listener: (text: string) => void): void {
    this.#beforeWrite = listener
  }

  /** Sets a function that receives a copy of all text, except secrets and temporary text. */
  copyTo(listener: (text: string) => void): void {
    this.#copy = listener
  }

  /**
   * Limits the time that a write waits for a slow reader. After that, text is dropped until the reader has caught up.
   * This lets a command that runs for days continue if nothing reads its messages.
   */
  dropIfStalled(): void {
    this.#dropsIfStalled = true
  }

  /** Writes temporary text, such as a line that will be erased. Ignores errors. */
  draw(text: string): void {
    const stream = this.#started()
    if (!this.#trouble) stream.write(hideSecrets(text, this.hidden))
  }

  /**
   * Writes text or raw bytes, unless the stream is quiet. Waits for a slow reader. Throws ReaderGone, ReaderStalled or
   * INTERNAL.
   */
  async write(text: string | Uint8Array): Promise<void> {
    if (!this.isQuiet) await this.writeEvenIfQuiet(text)
  }

  /** Writes even if the stream is quiet. Throws the same errors as {@link write}. */
  async writeEvenIfQuiet(text: string | Uint8Array): Promise<void> {
    if (text.length === 0) return
    this.#beforeWrite(typeof text === 'string' ? text : '')
    const clean = typeof text === 'string' ? hideSecrets(text, this.hidden) : text
    if (typeof clean === 'string') this.#copy(clean)
    const stream = this.#started()
    this.#check()
    // Do not write, because a failed stream never emits `drain`.
    if (this.#trouble) return
    if (this.#isStalled && !this.#hasCaughtUp(stream)) {
      this.#droppedTexts++
      return
    }
    if (stream.write(clean) || this.#stopping.aborted) return
    await this.#drained(stream)
    this.#check()
    // A reader that has stalled must not prevent the command from stopping.
    if (stream.writableNeedDrain) this.#throwIfStopping()
  }

  /**
   * Writes text even if the stream is quiet. Waits at most `limitMs` milliseconds for the text to leave this process.
   * Returns `null` on success, or the reason why the text may not have been written. Never throws.
   */
  async deliver(text: string, limitMs: number): Promise<string | null> {
    const limit = Promise.withResolvers<string>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      limit.resolve(`nothing has read ${this.#name} for ${formatDuration(limitMs)}`)
    }, limitMs)
    const write = async () => {
      await this.flush()
      // Once the time limit has passed, do not write the text, because nothing would read it.
      if (!isLate) await this.writeEvenIfQuiet(text)
      await this.flush()
      return this.#trouble && describeSystemError(this.#trouble)
    }
    try {
      return await Promise.race([write().catch(messageOf), limit.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Waits until all output has left this process. Throws the same errors as {@link write}. */
  async flush(): Promise<void> {
    const stream = this.#stream
    if (!stream) return
    this.#check()
    if (this.#trouble) return
    if (stream.writableLength > 0) {
      const written = new Promise<void>((resolve) => stream.write('', () => resolve()))
      await Promise.race([written, this.#patienceEnded()])
    }
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#check()
    if (stream.writableLength > 0) this.#throwIfStopping()
  }

  /** Returns whether a stalled reader has read everything. If it has, reports how much text was dropped. */
  #hasCaughtUp(stream: Writable): boolean {
    if (stream.writableLength > 0) return false
    this.#isStalled = false
    const dropped = this.#droppedTexts
    this.#droppedTexts = 0
    const words = dropped === 1 ? '1 message is' : `${dropped} messages are`
    if (dropped > 0) stream.write(`(${words} missing here, because nothing read ${this.#name})\n`)
    return true
  }

  #drained(stream: Writable): Promise<void> {
    return new Promise((resolve) => {
      const events = ['drain', 'error', 'close'] as const
      const stall = () => {
        this.#isStalled = true
        done()
      }
      const timer = this.#dropsIfStalled ? setTimeout(stall, STALL_LIMIT_MS) : undefined
      const done = () => {
        clearTimeout(timer)
        for (const event of events) stream.off(event, done)
        this.#stopping.removeEventListener('abort', done)
        resolve()
      }
      for (const event of events) stream.once(event, done)
      this.#stopping.addEventListener('abort', done)
    })
  }

  #throwIfStopping(): void {
    if (this.#stopping.aborted) throw new ReaderStalled((this.#stopping.reason as Interrupted).by)
  }

  #patienceEnded(): Promise<void> {
    this.#patience ??= new Promise((resolve) => {
      if (this.#abandoned.aborted) return resolve()
      this.#abandoned.addEventListener('abort', () => resolve(), { once: true })
      const end = () => setTimeout(resolve, PATIENCE_MS).unref()
      if (this.#stopping.aborted) end()
      else this.#stopping.addEventListener('abort', end, { once: true })
    })
    return this.#patience
  }

  #started(): Writable {
    if (!this.#stream) {
      this.#stream = this.#open()
      // Remove oclif's listener, which would throw an error that no handler could catch.
      this.#stream.removeAllListeners('error')
      this.#stream.on('error', (error: NodeJS.ErrnoException) => {
        this.#trouble ??= error
      })
    }
    return this.#stream
  }

  #check(): void {
    if (!this.#trouble || this.#name === 'stderr') return
    if (this.#trouble.code === 'EPIPE' || this.#trouble.code === 'EOF') throw new ReaderGone()
    const isFull = this.#trouble.code === 'ENOSPC'
    const reason = isFull ? 'no space left on the device' : this.#trouble.message
    throw new Failure('INTERNAL', `cannot write to ${this.#name}: ${reason}`, {
      hint: `${isFull ? 'free some space and ' : ''}run the command again; the output so far ends with a complete line`,
    })
  }
}
