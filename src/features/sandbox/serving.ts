import { join } from 'node:path'
import { messageOf } from '../../base/failure/failure.ts'
import { shellWord } from '../../base/failure/shell-word.ts'
import type { SandboxFacts } from '../../sandbox/facts.ts'
import type { Show } from '../../terminal/output/show.ts'
import type { Environment } from '../../terminal/runtime/child/child-command.ts'
import { factsViews } from './views/venue.ts'

/** The variables that make programs, and this tool, call a sandbox. */
export function variablesFor(facts: SandboxFacts): Readonly<Record<string, string>> {
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

/** The tool's directories for this sandbox, apart from the user's own. */
export function directoriesIn(files: string): Environment {
  return {
    PARTNER_CONFIG_DIR: join(files, 'config'),
    PARTNER_DATA_DIR: join(files, 'data'),
    PARTNER_CACHE_DIR: join(files, 'cache'),
  }
}

/** Variables that select another service. Directories named by the user stay. */
const LEADS_ELSEWHERE =
  /^PARTNER_(PROFILE|BASE_URL|API_KEY|SIGNING_SECRET|NAME|SIGNATURE_HEADER|LOCATION_ID|TIMEZONE|RELAUNCHED)(_FILE)?$/

/** The variables for a command that must use this sandbox only. */
export function environmentFor(sandbox: SandboxFacts, env: Environment): Environment {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !LEADS_ELSEWHERE.test(name))),
    ...variablesFor(sandbox),
  }
}

/** Prints what programs need to call a sandbox: lines for `eval`, JSON, or a record. */
export async function tellFacts(facts: SandboxFacts, show: Show): Promise<void> {
  if (show.format === 'table' && !show.columns) {
    for (const [name, value] of Object.entries(variablesFor(facts)))
      await show.text(`export ${name}=${shellWord(value)}\n`)
    return
  }
  // Always one line, as programs wait for a line.
  if (show.format === 'json' && !show.columns && !show.isQueried) await show.text(`${JSON.stringify(facts)}\n`)
  else await show.one({ ...facts }, factsViews)
}

/** Warns the user about unexpected errors of a serving sandbox, once each. */
export function troubleTeller(warn: (text: string) => Promise<void>): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    const message = messageOf(error)
    if (told.has(message)) return
    told.add(message)
    void warn(`the sandbox failed: ${message}`).catch(() => undefined)
  }
}
