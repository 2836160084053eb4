import { join } from 'node:path'
import { messageOf } from '../../base/failure/failure.ts'
import { quotePosixWord } from '../../base/failure/shell-word.ts'
import type { SandboxFacts } from '../../sandbox/facts.ts'
import type { Show } from '../../terminal/output/show.ts'
import type { Environment } from '../../terminal/runtime/child/child-command.ts'
import { factsViews } from './views/venue.ts'

/** Returns the environment variables that make other programs, and partner itself, use a sandbox. */
export function buildVariables(facts: SandboxFacts): Readonly<Record<string, string>> {
  return {
    PARTNER_BASE_URL: facts.baseUrl,
    PARTNER_API_KEY: facts.apiKey,
    PARTNER_NAME: facts.partnerName,
    PARTNER_SIGNATURE_HEADER: facts.signatureHeader,
    PARTNER_SIGNING_SECRET: facts.signingSecret,
    PARTNER_LOCATION_ID: facts.locationId,
    PARTNER_TIMEZONE: facts.timezone,
  }
}

/**
 * Returns variables that make partner keep its files in subdirectories of `files` instead of the user's directories.
 */
export function buildDirectoryVariables(files: string): Environment {
  return {
    PARTNER_CONFIG_DIR: join(files, 'config'),
    PARTNER_DATA_DIR: join(files, 'data'),
    PARTNER_CACHE_DIR: join(files, 'cache'),
  }
}

/**
 * Matches variables that could select a different service or a shared record of money writes. Variables that name
 * directories do not match.
 */
const SERVICE_VARIABLES =
  /^PARTNER_(PROFILE|BASE_URL|API_KEY|SIGNING_SECRET|NAME|SIGNATURE_HEADER|LOCATION_ID|LEDGER|TIMEZONE|RELAUNCHED)(_FILE)?$/

/** Returns the environment for a command that must use only this sandbox. */
export function buildEnvironment(sandbox: SandboxFacts, env: Environment): Environment {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !SERVICE_VARIABLES.test(name))),
    ...buildVariables(sandbox),
  }
}

/** Prints the address and credentials of a sandbox, as lines for `eval`, as JSON, or as a record. */
export async function printFacts(facts: SandboxFacts, show: Show): Promise<void> {
  if (show.format === 'table' && !show.columns) {
    for (const [name, value] of Object.entries(buildVariables(facts)))
      await show.text(`export ${name}=${quotePosixWord(value)}\n`)
    return
  }
  // Print JSON on a single line, because scripts wait for a complete line.
  if (show.format === 'json' && !show.columns && !show.isQueried) await show.text(`${JSON.stringify(facts)}\n`)
  else await show.one({ ...facts }, factsViews)
}

/**
 * Returns a function that warns the user about unexpected errors in a running sandbox. It shows each message only once.
 */
export function createErrorReporter(warn: (text: string) => Promise<void>): (error: unknown) => void {
  const reported = new Set<string>()
  return (error) => {
    const message = messageOf(error)
    if (reported.has(message)) return
    reported.add(message)
    void warn(`the sandbox failed: ${message}`).catch(() => undefined)
  }
}
