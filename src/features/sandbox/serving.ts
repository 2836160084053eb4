import { join } from 'node:path'
import { shellWord } from '../../base/failure/shell-word.ts'
import type { SandboxFacts } from '../../sandbox/facts.ts'
import type { Show } from '../../terminal/output/show.ts'
import type { Environment } from '../../terminal/runtime/child/child-command.ts'
import { factsViews } from './views/venue.ts'

/** The variables with which any program, and this tool too, calls a sandbox. */
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

/** Where the tool keeps what it writes for this sandbox, which nobody wants to find among their own later. */
export function directoriesIn(files: string): Environment {
  return {
    PARTNER_CONFIG_DIR: join(files, 'config'),
    PARTNER_DATA_DIR: join(files, 'data'),
    PARTNER_CACHE_DIR: join(files, 'cache'),
  }
}

/** What would lead a command to another service. Directories that were named stay as they are. */
const LEADS_ELSEWHERE =
  /^PARTNER_(PROFILE|BASE_URL|API_KEY|SIGNING_SECRET|NAME|SIGNATURE_HEADER|LOCATION_ID|TIMEZONE|RELAUNCHED)(_FILE)?$/

/** The variables of a command that is to use a sandbox, and no other service. */
export function environmentFor(sandbox: SandboxFacts, env: Environment): Environment {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !LEADS_ELSEWHERE.test(name))),
    ...variablesFor(sandbox),
  }
}

/** Prints what other programs need to call a sandbox: as lines for a shell's `eval`, as JSON, or as a record. */
export async function tellFacts(facts: SandboxFacts, show: Show): Promise<void> {
  if (show.format === 'table' && !show.columns) {
    for (const [name, value] of Object.entries(variablesFor(facts)))
      await show.text(`export ${name}=${shellWord(value)}\n`)
    return
  }
  // One line, whatever the screen: whoever reads it is a program that waits for a line.
  if (show.format === 'json' && !show.columns && !show.isQueried) await show.text(`${JSON.stringify(facts)}\n`)
  else await show.one({ ...facts }, factsViews)
}

/** Tells a person of what should never happen in a sandbox that serves: each trouble once, however often it comes back. */
export function troubleTeller(warn: (text: string) => Promise<void>): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    const message = error instanceof Error ? error.message : String(error)
    if (told.has(message)) return
    told.add(message)
    void warn(`the sandbox failed: ${message}`).catch(() => undefined)
  }
}
