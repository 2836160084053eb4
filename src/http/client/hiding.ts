import { openHiding } from '../../base/redaction/hiding.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import type { Layer, WireReply } from '../transport.ts'

/**
 * Hides the session's secrets in each response before anything else reads it. Calls `onHidden` if a response contained
 * a secret.
 */
export const withSecretsHidden =
  (secrets: () => readonly string[], onHidden: () => void): Layer =>
  (next) =>
  async (request) => {
    const reply = await next(request)
    const hidden = secrets()
    const headers = Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [name, hideSecrets(value, hidden)]),
    )
    if (Object.entries(headers).some(([name, value]) => value !== reply.headers[name])) onHidden()
    return { ...reply, headers, body: hideInBody(reply.body, hidden, onHidden) }
  }

/**
 * Hides secrets in a body. The iterator is written by hand, because a generator would cost as much time as the search
 * itself.
 */
function hideInBody(
  body: WireReply['body'],
  secrets: readonly string[],
  onHidden: () => void,
): AsyncIterable<Uint8Array> {
  const hiding = openHiding(secrets)
  if (hiding === null) return body
  const report = (bytes: Uint8Array) => {
    if (hiding.hasHidden) onHidden()
    return bytes
  }
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]()
      let hasEnded = false
      return {
        next: async () => {
          while (!hasEnded) {
            const step = await chunks.next()
            hasEnded = step.done === true
            const value = report(step.done ? hiding.end() : hiding.push(step.value))
            if (value.length > 0) return { done: false, value }
          }
          return { done: true, value: undefined }
        },
        return: async () => {
          hasEnded = true
          await chunks.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
