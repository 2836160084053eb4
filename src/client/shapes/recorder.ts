import type { Variables } from '../../base/storage/directories.ts'
import { foldAnswer } from '../../contract/answers/fold.ts'
import { BodyStart } from '../../contract/answers/sample.ts'
import type { Shapes } from '../../contract/answers/shape.ts'
import { findEndpoints } from '../../contract/paths.ts'
import { type ExpectedAnswer, expectedAnswers } from '../../contract/shapes/expected.ts'
import type { Layer, WireRequest } from '../../http/transport.ts'
import { record, type Whose } from './shape-file.ts'

/** What notes the shape of the answers that come by. */
export interface Recorder {
  readonly layer: Layer
  /** Keeps what was seen. Answers what went wrong, null when nothing did. */
  close(): Promise<string | null>
}

/** What a recorder is opened with. */
export interface RecorderOptions extends Whose {
  readonly env: Variables
  readonly baseUrl: URL
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** How long what was seen stays in memory alone, in a command that runs on. Milliseconds. */
const KEPT_EVERY_MS = 60_000

/**
 * Notes what answers look like, without their values, for `drift`. Nothing of it fails a request: what goes wrong is told at the end.
 * Of a long answer, its beginning is looked at.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { baseUrl, now } = options
  const answers = new Map((await expectedAnswers()).map((one) => [one.id as string, one]))
  const keeper = new Keeper(options)
  return {
    layer: (next) => async (request) => {
      const reply = await next(request)
      const due = reply.status >= 200 && reply.status < 300 ? dueTo(request, baseUrl, answers) : null
      if (due === null) return reply
      return { ...reply, body: watched(reply.body, (start, isWhole) => keeper.note(due, start, isWhole, now())) }
    },
    close: () => keeper.close(),
  }
}

/** What a request is expected to be answered with; null when nobody knows. */
function dueTo({ method, url }: WireRequest, baseUrl: URL, answers: ReadonlyMap<string, ExpectedAnswer>) {
  const path = url.pathname.slice(baseUrl.pathname.replace(/\/+$/, '').length)
  const found = findEndpoints(path).find(({ endpoint }) => endpoint.method === method)
  return (found && answers.get(found.id)) ?? null
}

async function* watched(body: AsyncIterable<Uint8Array>, done: (start: BodyStart, isWhole: boolean) => void) {
  const start = new BodyStart()
  let isWhole = false
  try {
    for await (const chunk of body) {
      start.take(chunk)
      yield chunk
    }
    isWhole = true
  } finally {
    done(start, isWhole)
  }
}

/** Holds what was seen until it is on disk. */
class Keeper {
  readonly #options: RecorderOptions
  #shapes: Shapes = {}
  #keptAtMs: number
  #keeping: Promise<void> = Promise.resolve()
  #trouble: string | null = null

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#keptAtMs = options.now()
  }

  note(due: ExpectedAnswer, start: BodyStart, isWhole: boolean, nowMs: number): void {
    try {
      const sample = start.sample(isWhole)
      // A beginning without a whole record shows nothing, and an empty answer may be one by design.
      if (start.isEmpty || (sample === null && (start.isCut || !isWhole))) return
      foldAnswer(this.#shapes, due, sample)
      if (nowMs - this.#keptAtMs >= KEPT_EVERY_MS) this.#keep(nowMs)
    } catch (error) {
      this.#fail(error)
    }
  }

  async close(): Promise<string | null> {
    this.#keep(this.#options.now())
    await this.#keeping
    return this.#trouble
  }

  #keep(nowMs: number): void {
    const shapes = this.#shapes
    if (Object.keys(shapes).length === 0) return
    this.#shapes = {}
    this.#keptAtMs = nowMs
    const { env } = this.#options
    this.#keeping = this.#keeping
      .then(() => record(env, this.#options, shapes, nowMs))
      .catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    this.#trouble = `--record could not keep what it saw: ${error instanceof Error ? error.message : String(error)}`
  }
}
