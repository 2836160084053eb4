import type { Writable } from 'node:stream'
import { Failure } from '../failure/failure.ts'
import { withoutSecrets } from '../http/redaction.ts'

/** The reader of our output went away (`| head`): the work ends at once and nothing more is said. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/**
 * One of the two output streams. It waits for a slow reader and notices one that is gone. What nobody reads on stderr is no
 * reason to break off what is being done.
 */
export class Output {
  readonly #open: () => Writable
  readonly #name: string
  #stream: Writable | undefined
  #trouble: NodeJS.ErrnoException | null = null
  readonly #hidden: string[] = []

  /** @param open gives the stream when something is first written: opening one costs time. */
  constructor(name: 'stdout' | 'stderr', open: () => Writable) {
    this.#name = name
    this.#open = open
  }

  /** Shows a secret as dots from now on, wherever it stands: a service may say it back in a message. */
  hide(secret: string): void {
    this.#hidden.push(secret)
  }

  /** What is not shown. */
  get hidden(): readonly string[] {
    return this.#hidden
  }

  /**
   * Writes text, or bytes as they are; comes back when there is room for more.
   * Fails: ReaderGone; INTERNAL when it cannot be written (a full disk).
   */
  async write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0) return
    const stream = this.#started()
    this.#check()
    // A stream that failed gives no sign of having taken anything.
    if (this.#trouble) return
    const clean = typeof text === 'string' && this.#hidden.length > 0 ? withoutSecrets(text, this.#hidden) : text
    if (stream.write(clean)) return
    await new Promise<void>((resolve) => {
      const done = () => {
        stream.off('drain', done)
        stream.off('error', done)
        stream.off('close', done)
        resolve()
      }
      stream.once('drain', done)
      stream.once('error', done)
      stream.once('close', done)
    })
    this.#check()
  }

  /** Comes back when all that was written has left this process. Fails: like {@link write}. */
  async flush(): Promise<void> {
    const stream = this.#stream
    if (!stream) return
    this.#check()
    if (this.#trouble) return
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()))
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#check()
  }

  #started(): Writable {
    if (!this.#stream) {
      this.#stream = this.#open()
      // oclif has put one there that throws: out of the event, past everything that reports errors.
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
    const reason = this.#trouble.code === 'ENOSPC' ? 'no space is left on the device' : this.#trouble.message
    throw new Failure('INTERNAL', `${this.#name} cannot be written: ${reason}`, {
      hint: 'what was written before is whole lines; make room, then run the command again',
    })
  }
}
