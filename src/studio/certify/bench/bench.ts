import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { type RunningServer, serve } from '../../../http/server/serve.ts'
import { sandboxApp } from '../../../sandbox/app/app.ts'
import { describeSandbox, type SandboxFacts } from '../../../sandbox/facts.ts'
import type { JournalEntry } from '../../../sandbox/journal/journal.ts'
import { openState } from '../../../sandbox/open-state.ts'
import type { SandboxState } from '../../../sandbox/state.ts'
import { Child, describeStep, type StepEnd, type StepLine } from './child.ts'
import type { Evidence } from './evidence.ts'
import { VenueActor } from './venue-actor.ts'
import { Wire } from './wire.ts'

/** The integration to certify, and how to run it. */
export interface Candidate {
  /** The shell command that runs the integration. */
  readonly run: string
  /** Returns the environment variables for the command. They do not include `CERTIFY_COPY`. */
  readonly variables: (facts: SandboxFacts) => Readonly<Record<string, string | undefined>>
  /** The time limit, in milliseconds, for each step. */
  readonly stepMs: number
  /** The time limit, in milliseconds, for the integration's server to start listening. */
  readonly readyMs: number
  /** A signal that aborts the run. The run then throws the signal's reason. */
  readonly signal: AbortSignal
}

export interface BenchOptions {
  readonly candidate: Candidate
  readonly evidence: Evidence
  /** The directory for the integration's copy of the bookings. */
  readonly directory: string
  /** Called with the journal entry for each request. */
  readonly record: (entry: JournalEntry) => void
  /** The venue's time at the start, in milliseconds since 1970. By default, the machine's time. */
  readonly startAt?: number | undefined
}

/** How long, in milliseconds, the integration must send no requests before a delivery counts as handled. */
const QUIET_MS = 250
/** The time limit, in milliseconds, for all requests that follow a delivery. */
const QUIET_WITHIN_MS = 5000
/**
 * The delay, in milliseconds, before each extra poll. An integration may leave very recent changes for its next poll.
 */
const LAG_MS = 1200
const MORE_POLLS = 2

/** A test bench: a sandbox and the integration that is tested against it. */
export class Bench {
  readonly wire: Wire
  readonly venue: VenueActor
  readonly state: SandboxState
  readonly facts: SandboxFacts
  readonly copyPath: string
  readonly candidate: Candidate
  readonly evidence: Evidence
  readonly #server: RunningServer
  readonly #running = new Set<Child>()
  readonly #copied = new Map<string, JsonObject>()

  private constructor(options: BenchOptions, state: SandboxState, wire: Wire, server: RunningServer) {
    this.candidate = options.candidate
    this.evidence = options.evidence
    this.#server = server
    this.state = state
    this.wire = wire
    this.venue = new VenueActor(state)
    this.facts = describeSandbox(server.origin, state.store.venue)
    this.copyPath = join(options.directory, 'copy.ndjson')
  }

  /** Opens a test bench with a new sandbox in memory. */
  static async open(options: BenchOptions): Promise<Bench> {
    const { startAt, record } = options
    const state = openState(':memory:', startAt === undefined ? {} : { clock: { startAt } })
    const wire = new Wire()
    state.journal.watch(record)
    const server = await serve(sandboxApp(state, null, wire.recording), { closeGraceMs: 100 })
    state.diary()
    return new Bench(options, state, wire, server)
  }

  /** Starts a step of the integration without waiting for it. If the run was aborted, throws the signal's reason. */
  startStep(line: StepLine): Child {
    const { run, variables, stepMs, signal } = this.candidate
    signal.throwIfAborted()
    const child = new Child(run, { ...variables(this.facts), CERTIFY_COPY: this.copyPath }, stepMs, line)
    this.#running.add(child)
    const stop = () => child.kill('SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    void child.ended.then(() => {
      this.#running.delete(child)
      signal.removeEventListener('abort', stop)
    })
    return child
  }

  /** Waits for a step to end and records how it ended. If the run was aborted, throws the signal's reason. */
  async finish(child: Child, line: StepLine): Promise<StepEnd> {
    const ended = await child.ended
    this.candidate.signal.throwIfAborted()
    this.note('step', `${describeStep(line)}: ${ended.text}`)
    // Read the copy now, because the next step might overwrite it.
    void this.copy
    return ended
  }

  async step(line: StepLine): Promise<StepEnd> {
    return this.finish(this.startStep(line), line)
  }

  /** Runs a step and records a finding if it fails. Returns whether the step succeeded. */
  async mustSucceed(line: StepLine): Promise<boolean> {
    const ended = await this.step(line)
    if (ended.code === 0) return true
    this.finding(`${describeStep(line)} must exit with code 0, but ${ended.text}`)
    return false
  }

  note(kind: 'step' | 'delivery' | 'change' | 'finding', text: string): void {
    this.evidence.note(kind, this.venue.now, text)
  }

  finding(text: string): void {
    this.note('finding', text)
  }

  /**
   * The bookings in the integration's copy. Includes bookings from earlier versions of the file, because a poll can
   * overwrite the file with only the bookings that it fetched.
   */
  get copy(): ReadonlyMap<string, JsonObject> {
    for (const [id, booking] of readCopy(this.copyPath)) this.#copied.set(id, booking)
    return this.#copied
  }

  /** Waits until the integration has sent no requests for a short time and none are in progress. */
  async waitUntilQuiet(): Promise<void> {
    const end = monotonicMs() + QUIET_WITHIN_MS
    let [count, since] = [-1, monotonicMs()]
    while (monotonicMs() < end && monotonicMs() - since < QUIET_MS) {
      if (this.wire.inProgress > 0 || this.wire.seen.length !== count) {
        count = this.wire.seen.length
        since = monotonicMs()
      }
      await delay(20)
    }
  }

  /** Polls until nothing is missing, but at most {@link MORE_POLLS} times. Returns what is still missing. */
  async pollUntil<T>(lacks: () => readonly T[]): Promise<readonly T[]> {
    for (let left = MORE_POLLS; left > 0 && lacks().length > 0; left--) {
      await delay(LAG_MS)
      await this.step({ do: 'poll' })
    }
    return lacks()
  }

  async close(): Promise<void> {
    const running = [...this.#running]
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await this.#server.close()
    this.state.close()
  }
}

/**
 * Returns the bookings in an NDJSON copy, keyed by ID. If several lines contain the same booking, the last one wins.
 * Ignores lines without a booking.
 */
function readCopy(path: string): ReadonlyMap<string, JsonObject> {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {}
  const bookings = text.split('\n').flatMap(findBooking)
  return new Map(bookings.map((booking) => [String(booking['bookingId']), booking]))
}

/**
 * Returns an array with the booking that a line contains, or an empty array if there is none. The booking is the line's
 * object or one of its members.
 */
function findBooking(line: string): JsonObject[] {
  const value: unknown = parseJsonOrNull(line)
  const objects = isJsonObject(value) ? [value, ...Object.values(value)].filter(isJsonObject) : []
  return objects.filter(({ bookingId }) => typeof bookingId === 'string').slice(0, 1)
}
