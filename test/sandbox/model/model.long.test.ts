import { expect, test } from 'vitest'
import type { DocumentedFailure, Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { COMMON_FAILURES } from '../../../src/contract/failures.ts'
import { playHistories } from './play.ts'

/**
 * Returns whether a failure requires an injected fault. True for server errors and for a sale that is still being
 * processed.
 */
const needsFault = (failure: DocumentedFailure) =>
  failure.status === 500 || failure.message === 'The sale is being processed.'

test('the sandbox and the model agree in many random runs that trigger every documented error', {
  timeout: 600_000,
}, async () => {
  const met = [...(await playHistories(Number(process.env['PARTNER_MODEL_HISTORIES'] ?? 5000)))]
  const endpoints: readonly Endpoint[] = Object.values(ENDPOINTS)
  const expected = endpoints.flatMap((endpoint) => {
    const common = endpoint.auth === 'api-key' ? Object.values(COMMON_FAILURES) : [COMMON_FAILURES.rateLimited]
    const failures = [
      ...Object.values(endpoint.failures),
      ...common.filter(({ message }) => message !== '{field} is required'),
    ]
    return failures.filter((failure) => !needsFault(failure)).map((failure) => patternOf(endpoint, failure))
  })
  expect(expected.filter((pattern) => !met.some((line) => pattern.test(line))).map(String)).toEqual([])
})

/** Returns a pattern for the line in `Rig.met` that reports a failure with any parameters. */
function patternOf({ method, path }: Endpoint, { status, message }: DocumentedFailure): RegExp {
  const escaped = (text: string, value: string) =>
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join(value)
  return new RegExp(`^${method} ${escaped(path, '[^/]+')} ${status} ${escaped(message, '.+')}$`)
}
