import type { BuiltInSandbox } from '../../client/built-in-sandbox.ts'

/** The built-in sandbox, which is the service of the `sandbox` profile. */
export const sandbox: BuiltInSandbox = {
  signing: async () => {
    const { SIGNATURE_HEADER, SIGNING_SECRET } = await import('../../sandbox/credentials.ts')
    return { header: SIGNATURE_HEADER, secret: SIGNING_SECRET }
  },
  timezone: async (data) => {
    const { readTimezone } = await import('../../sandbox/open-state.ts')
    return readTimezone(data)
  },
  start: async (data) => {
    const { startSandbox } = await import('../../studio/start.ts')
    return startSandbox({ data })
  },
}
