import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Environment, freshHome, type Run, type RunOptions, runPartner } from './partner.ts'
import { RAW_KEY } from './raw-server.ts'

export interface TestVenue {
  readonly name: string
  readonly baseUrl: string
  readonly key?: string
  readonly tags?: readonly string[]
  readonly timezone?: string
  readonly locationId?: string
}

/** A configuration with a profile for each venue, and a function that runs the tool with it. */
export interface Venues {
  readonly env: Environment
  run(args: readonly string[], options?: RunOptions): Promise<Run>
}

/** Configures the tool with the given profiles. The first profile is the current one. */
export function configureVenues(venues: readonly TestVenue[]): Venues {
  const env = freshHome()
  const profiles = venues.map(({ name, baseUrl, key = RAW_KEY, tags, timezone, locationId }) => [
    name,
    {
      ...{ baseUrl, apiKey: { value: key } },
      ...{ ...(tags ? { tags } : {}), ...(timezone ? { timezone } : {}), ...(locationId ? { locationId } : {}) },
    },
  ])
  mkdirSync(env.PARTNER_CONFIG_DIR, { recursive: true, mode: 0o700 })
  const text = JSON.stringify({ current: venues[0]?.name ?? null, profiles: Object.fromEntries(profiles) })
  writeFileSync(join(env.PARTNER_CONFIG_DIR, 'profiles.json'), text, { mode: 0o600 })
  return { env, run: (args, options = {}) => runPartner(args, { ...options, env: { ...env, ...options.env } }) }
}

/** Parses every line that is a JSON object, such as a warning on stderr. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any member of an object
export function jsonLines(text: string): any[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line))
}
