import { type FlagValues, flag, type PROFILE_FLAGS, toggle } from '../../terminal/input/flags.ts'

const VENUE_FLAGS = {
  profiles: flag('all|tag:NAME|a,b', 'Check several venues: run each check for each of these profiles.'),
} as const

const STATE_FLAG = {
  state: flag(
    'FILE',
    'Keep the state in FILE (default: a file in the data directory, named after a hash of the real path of the checks file).',
  ),
} as const

export const MONITOR_FLAGS = {
  once: toggle('Evaluate every check once, deliver the alerts that are due, and exit.'),
  ...VENUE_FLAGS,
  jobs: flag('N', 'How many checks to evaluate in parallel (default: 4).'),
  ...STATE_FLAG,
  prom: flag('FILE', "Also write a .prom file, for the textfile collector of Prometheus's node exporter."),
} as const

export const MONITOR_STATUS_FLAGS = { ...VENUE_FLAGS, ...STATE_FLAG } as const

/** The parsed flags that select the venues. */
export type VenueChoice = Partial<FlagValues<typeof VENUE_FLAGS & Pick<typeof PROFILE_FLAGS, 'profile' | 'base-url'>>>
