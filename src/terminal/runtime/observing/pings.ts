import { stripVTControlCharacters } from 'node:util'
import { hideSecrets, redactBody } from '../../../base/redaction/redaction.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import type { Environment } from '../../../http/proxy-choice.ts'
import type { Output } from '../../output/output.ts'
import { PROFILE_PLACEHOLDER } from './ping-url.ts'
import { post } from './post.ts'

/** The time limits for a single attempt to send a ping and for all attempts together. */
const TRY_MS = 5000
const PING_MS = 10_000

const TRIES = 2
const RETRY_AFTER_MS = 500

/** The maximum size of the stderr in a ping. healthchecks.io has the same limit. */
const MAX_BODY_BYTES = 10_000

/**
 * How many characters of stderr to keep. This is more than a ping may contain, because hiding secrets can shorten the
 * text.
 */
const MAX_KEPT_CHARACTERS = 32_768

/**
 * How many pings may wait for a slow monitor. With `--every`, a run that begins while this many pings are waiting is
 * not reported.
 */
const MAX_WAITING = 4

interface PingParts {
  readonly env: Environment
  readonly version: string
  readonly stderr: Output
  /** Returns the ping URL for a profile or, if `null`, for the whole command. */
  readonly urlFor: (profile: string | null) => URL | null
}

/**
 * Reports runs to a job monitor in the protocol of healthchecks.io: `POST URL/start`, then `POST URL/EXITCODE` with the
 * end of stderr. Pings are sent in the background, one after another, so a run's end never arrives before its start.
 */
export class Pings {
  readonly #parts: PingParts
  readonly #url: URL | null
  readonly #venues: Pings[] = []
  /**
   * Whether a regular run (`#isOpen`) or an irregular run (`#isExtra`) is in progress. The start of an irregular run is
   * not reported.
   */
  #isOpen = false
  #isExtra = false
  #isSkipped = false
  #lastCode = 0
  #said = ''
  #waiting = 0
  #queue: Promise<void> = Promise.resolve()
  #current = new AbortController()

  constructor(parts: PingParts, profile: string | null = null) {
    this.#parts = parts
    this.#url = parts.urlFor(profile)
    parts.stderr.copyTo((text) => {
      this.#said = (this.#said + text).slice(-MAX_KEPT_CHARACTERS)
    })
  }

  /** Whether all venues use the same ping URL. */
  get isShared(): boolean {
    return this.#url !== null
  }

  /**
   * Begins a run, unless a regular run is in progress. Does not report the start of an irregular run, because events
   * may start many of them.
   */
  begin(isRegular: boolean): void {
    if (this.#isOpen) return
    this.#said = ''
    this.#isOpen = isRegular
    this.#isExtra = !isRegular
    this.#isSkipped = this.#waiting >= MAX_WAITING
    if (isRegular) this.#enqueue('start', null)
  }

  /**
   * Ends the run. Always reports the end of a regular run. Reports the end of an irregular run only if its exit code
   * differs from the last reported one. If no run is in progress, reports only a failure. Reports an interruption (130)
   * only for a regular run.
   */
  end(exitCode: number, words = ''): void {
    const isNews = exitCode !== 130 && exitCode !== (this.#isExtra ? this.#lastCode : 0)
    if (this.#isOpen || isNews) {
      this.#enqueue(String(exitCode), this.#body(words))
      if (!this.#isSkipped) this.#lastCode = exitCode
    }
    this.#isOpen = false
    this.#isExtra = false
    this.#said = ''
  }

  /** Returns the pings of one venue, or `null` if all venues share one URL. */
  forVenue(profile: string, stderr: Output): Pings | null {
    if (this.isShared) return null
    const pings = new Pings({ ...this.#parts, stderr }, profile)
    if (pings.#url !== null) stderr.hide(pings.#url.href)
    this.#venues.push(pings)
    return pings
  }

  /**
   * Waits until all pings have been sent, for at most `limitMs` milliseconds (`null` for no limit). After half of that
   * time, aborts the current ping, so that the next one can be sent.
   */
  async settle(limitMs: number | null): Promise<void> {
    const halfTime = limitMs === null ? undefined : setTimeout(() => this.#current.abort(), limitMs / 2)
    const settled = Promise.all([this.#queue, ...this.#venues.map((venue) => venue.settle(limitMs))])
    await (limitMs === null ? settled : Promise.race([settled, sleep(limitMs)]))
    clearTimeout(halfTime)
    this.#current.abort()
  }

  #enqueue(path: string, body: Uint8Array | null): void {
    if (this.#url === null || this.#isSkipped) return
    const url = new URL(this.#url)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
    this.#waiting++
    this.#queue = this.#queue.then(async () => {
      await this.#send(url, body)
      this.#waiting--
    })
  }

  async #send(url: URL, body: Uint8Array | null): Promise<void> {
    const { env, version } = this.#parts
    const type = body === null ? {} : { 'content-type': 'text/plain; charset=utf-8' }
    const headers = { 'user-agent': `partner/${version}`, ...type }
    const deadline = monotonicMs() + PING_MS
    this.#current = new AbortController()
    const { signal } = this.#current
    for (let tries = 1; ; tries++) {
      const limitMs = Math.min(TRY_MS, deadline - monotonicMs())
      const status = await post({ url, headers, body, env, limitMs, signal })
      const isTemporary = status === null || status >= 500 || status === 429
      if (!isTemporary || tries === TRIES || signal.aborted) return
      await sleep(RETRY_AFTER_MS)
    }
  }

  #body(words: string): Uint8Array {
    const { hidden } = this.#parts.stderr
    const clean = redactBody(hideSecrets(stripVTControlCharacters(this.#said + words), hidden))
    return lastBytes(Buffer.from(clean), MAX_BODY_BYTES)
  }
}

/** Returns at most the last `count` bytes of `text`, without a partial character at the start. */
function lastBytes(text: Buffer, count: number): Buffer {
  let start = Math.max(0, text.length - count)
  while (start > 0 && ((text[start] ?? 0) & 0xc0) === 0x80) start++
  return text.subarray(start)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Returns a function that inserts a profile's name into the URL. A URL without `{profile}` is used for the whole
 * command.
 */
export function urlChooser(url: URL): PingParts['urlFor'] {
  const encoded = encodeURIComponent(PROFILE_PLACEHOLDER)
  const isEach = [PROFILE_PLACEHOLDER, encoded].some((placeholder) => url.href.includes(placeholder))
  if (!isEach) return () => url
  return (profile) => {
    if (profile === null) return null
    const name = encodeURIComponent(profile)
    return new URL(url.href.replaceAll(encoded, name).replaceAll(PROFILE_PLACEHOLDER, name))
  }
}
