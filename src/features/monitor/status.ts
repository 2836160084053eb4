import { OWN_NAME } from '../../monitor/file/read-checks.ts'
import { readMonitorFile } from '../../monitor/file/read-file.ts'
import type { CheckState } from '../../monitor/state/machine.ts'
import { type CheckKey, StateStore } from '../../monitor/state/state-store.ts'
import type { FlagValues } from '../../terminal/input/flags.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { counted } from '../shared/views/wording.ts'
import type { MONITOR_STATUS_FLAGS, VenueChoice } from './flags.ts'
import type { CheckStatus } from './output.ts'
import { statePath } from './place.ts'
import { chooseVenues } from './venues.ts'
import { statusList } from './views.ts'

type StatusRun = Opened<FlagValues<typeof MONITOR_STATUS_FLAGS> & VenueChoice, { readonly file: string }>
type Found = CheckKey & { readonly state: CheckState }

/** Shows the recorded state of all checks, without evaluating any. Throws USAGE, NO_PROFILE or INTERNAL. */
export async function showMonitorStatus({ args, flags, host, show, say, connection }: StatusRun): Promise<void> {
  const file = await readMonitorFile(args.file, host.signal)
  const isChosen = flags.profiles !== undefined || flags.profile !== undefined || flags['base-url'] !== undefined
  const profiles = isChosen ? chooseVenues(flags, host).map(({ profile }) => profile) : null
  const store = StateStore.find(statePath(flags.state, file, host.env))
  try {
    const found = store?.checks() ?? []
    const waiting = (store?.backlog() ?? []).reduce((sum, { count }) => sum + count, 0)
    const names = file.checks.map(({ name }) => name)
    const rows = [...names.flatMap((name) => rowsOf(name, found, profiles)), ...ownRows(found)]
    connection.zone = await connection.zoneOf(profiles?.length === 1 ? (profiles[0] ?? null) : null)
    await show.all(rows, statusList)
    if (waiting > 0)
      await say(counted(waiting, 'alert has not been delivered yet', 'alerts have not been delivered yet'))
  } finally {
    store?.close()
  }
}

/** Returns a row for each venue of a check. If `profiles` is `null`, uses the venues in the state. */
function rowsOf(name: string, found: readonly Found[], profiles: readonly (string | null)[] | null): CheckStatus[] {
  const own = found.filter((one) => one.name === name)
  const wanted = profiles ?? (own.length > 0 ? own.map(({ profile }) => profile) : [null])
  return wanted.map((profile) => {
    const state = own.find((one) => one.profile === profile)?.state
    return state ? rowOf({ name, profile, state }) : { ...NOT_CHECKED, name, profile }
  })
}

/** Returns a row for the monitor itself if it has a problem. */
function ownRows(found: readonly Found[]): CheckStatus[] {
  return found.filter(({ name, state }) => name === OWN_NAME && state.state !== 'ok').map(rowOf)
}

const NOT_CHECKED = {
  state: 'unknown',
  since: null,
  pendingSince: null,
  checkedAt: null,
  message: 'not checked yet',
  next: null,
} as const

function rowOf({ name, profile, state: found }: Found): CheckStatus {
  const { state, sinceMs, pendingSinceMs, checkedMs, message, next } = found
  const [since, pendingSince, checkedAt] = [sinceMs, pendingSinceMs, checkedMs].map((ms) =>
    ms === null ? null : new Date(ms).toISOString(),
  ) as [string, string | null, string]
  return { name, profile, state, since, pendingSince, checkedAt, message, next }
}
