import { messageOf } from '../../base/failure/failure.ts'
import type { Variables } from '../../base/storage/directories.ts'
import { foldAnswer } from '../../contract/answers/fold.ts'
import { BodyStart } from '../../contract/answers/sample.ts'
import type { Shapes } from '../../contract/answers/shape.ts'
import { findEndpoints } from '../../contract/paths.ts'
import { type ExpectedAnswer, getExpectedAnswers } from '../../contract/shapes/expected.ts'
import type { Layer, WireRequest } from '../../http/transport.ts'
import { record, type ShapeOwner } from './shape-file.ts'

export interface Recorder {
  readonly layer: Layer
  /** Saves the recorded response formats. Returns a description of the problem if that fails, otherwise `null`. */
  close(): Promise<string | null>
}

export interface RecorderOptions extends ShapeOwner {
  readonly env: Variables
  readonly baseUrl: URL
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number
}

const SAVE_INTERVAL_MS = 60_000

/**
 * Records the formats of responses, but not their values, for `drift`. Examines only the beginning of each response. A
 * failure to record does not make the request fail.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { baseUrl, env, now } = options
  const answers = new Map((await getExpectedAnswers()).map((one) => [one.id as string, one]))
  let shapes: Shapes = {}
  let keptAtMs = now()
  let keeping: Promise<void> = Promise.resolve()
  let trouble: string | null = null
  const fail = (error: unknown) => {
    trouble = `--record could not save the response formats: ${messageOf(error)}`
  }
  const keep = (nowMs: number) => {
    const seen = shapes
    if (Object.keys(seen).length === 0) return
    shapes = {}
    keptAtMs = nowMs
    keeping = keeping.then(() => record(env, options, seen, nowMs)).catch(fail)
  }
  const note = (due: ExpectedAnswer, start: BodyStart, isWhole: boolean, nowMs: number) => {
    try {
      const sample = start.sample(isWhole)
      // Skip an empty response, which may be intentional. Also skip a truncated one without a complete record, because
      // it does not show the format.
      if (start.isEmpty || (sample === null && (start.isCut || !isWhole))) return
      foldAnswer(shapes, due, sample)
      if (nowMs - keptAtMs >= SAVE_INTERVAL_MS) keep(nowMs)
    } catch (error) {
      fail(error)
    }
  }
  return {
    layer: (next) => async (request) => {
      const reply = await next(request)
      const due = reply.status >= 200 && reply.status < 300 ? findExpectedAnswer(request, baseUrl, answers) : null
      if (due === null) return reply
      return { ...reply, body: watched(reply.body, (start, isWhole) => note(due, start, isWhole, now())) }
    },
    close: async () => {
      keep(now())
      await keeping
      return trouble
    },
  }
}

/** Returns the response that the contract describes for a request, or `null` if it describes none. */
function findExpectedAnswer({ method, url }: WireRequest, baseUrl: URL, answers: ReadonlyMap<string, ExpectedAnswer>) {
  const path = url.pathname.slice(baseUrl.pathname.replace(/\/+$/, '').length)
  const found = findEndpoints(path).find(({ endpoint }) => endpoint.method === method)
  return (found && answers.get(found.id)) ?? null
}

async function* watched(body: AsyncIterable<Uint8Array>, done: (start: BodyStart, isWhole: boolean) => void) {
  const start = new BodyStart()
  let isWhole = false
  try {
    for await (const chunk of body) {
      start.add(chunk)
      yield chunk
    }
    isWhole = true
  } finally {
    done(start, isWhole)
  }
}
