import { expect } from 'vitest'
import { type Environment, freshHome, type Run, runPartner } from './partner.ts'
import { type Sandbox, startSharedSandbox } from './sandbox-process.ts'

export interface Venue {
  readonly sandbox: Sandbox
  readonly env: Environment
  run(...args: readonly string[]): Promise<Run>
  /** Runs the tool with this venue's settings against another server. */
  runAt(server: { readonly env: Environment }, ...args: readonly string[]): Promise<Run>
  /** Runs a command that must succeed. Returns its JSON output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of the output
  json(...args: readonly string[]): Promise<any>
}

/** Starts a venue that all tests in a file share. Must be called at the top level of the file. */
export async function venueOfThisFile(): Promise<Venue> {
  const sandbox = await startSharedSandbox()
  const env = {
    ...sandbox.env,
    PARTNER_SIGNING_SECRET: sandbox.signingSecret,
    PARTNER_NAME: sandbox.partnerName,
    PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader,
    PARTNER_LOCATION_ID: sandbox.locationId,
    PARTNER_TIMEZONE: 'Australia/Sydney',
  }
  const runAt: Venue['runAt'] = (server, ...args) =>
    runPartner(args, { env: { ...freshHome(), ...env, ...server.env } })
  const run = (...args: readonly string[]) => runAt({ env }, ...args)
  return {
    sandbox,
    env,
    run,
    runAt,
    json: async (...args) => {
      const done = await run(...args, '--json')
      expect(done).toMatchObject({ code: 0 })
      return JSON.parse(done.stdout)
    },
  }
}
