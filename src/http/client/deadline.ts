import type { Layer } from '../transport.ts'
import { DeadlinePassed } from './errors.ts'

/** Limits the duration of one attempt, measured from connecting to the last byte of the body. */
export const withDeadline =
  (timeoutMs: number): Layer =>
  (next) =>
  async (request) => {
    const controller = new AbortController()
    const outer = request.signal
    const passOn = () => controller.abort(outer?.reason)
    if (outer?.aborted) passOn()
    outer?.addEventListener('abort', passOn, { once: true })
    const timer = setTimeout(() => controller.abort(new DeadlinePassed(timeoutMs)), timeoutMs)
    const finish = () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', passOn)
    }
    try {
      const reply = await next({ ...request, signal: controller.signal })
      return { ...reply, body: finishAfter(reply.body, finish) }
    } catch (error) {
      finish()
      throw error
    }
  }

async function* finishAfter(body: AsyncIterable<Uint8Array>, finish: () => void) {
  try {
    yield* body
  } finally {
    finish()
  }
}
