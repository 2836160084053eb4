import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { usageFailure } from '../../base/failure/failure.ts'
import { SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { openTarget, targetKind } from '../../sync/open-target.ts'
import { type FlagValues, flag, toggle } from '../../terminal/input/flags.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { copyOwner, DISCARDING_STREAM, settingsOf, sourceName, TARGET_FLAGS } from '../shared/copies.ts'
import { readSyncFlags } from './flags.ts'
import { unitCard, unitList } from './views.ts'

const DEFAULT_EVERY_MS = 300_000
const MIN_EVERY_MS = 10_000

/** The environment variables that a sync uses. They contain no secrets. */
const PASSED_VARIABLES = [
  ...['PARTNER_CONFIG_DIR', 'PARTNER_DATA_DIR', 'PARTNER_CACHE_DIR'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS'],
  ...['PGPASSFILE', 'PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'],
]

export const UNIT_FLAGS = {
  ...TARGET_FLAGS,
  every: flag('DUR', 'The pause between two runs (default: 5m).'),
  since: flag('TIME', 'As in bookings sync.'),
  overlap: flag('DUR', 'As in bookings sync.'),
  lease: flag('DUR', 'As in bookings sync.'),
  'include-customer': toggle('As in bookings sync.'),
} as const

/** Shows a systemd timer and a crontab line for a sync. Throws USAGE or NO_PROFILE. */
export async function showUnits({ flags, show, host }: Opened<FlagValues<typeof UNIT_FLAGS>, object>): Promise<void> {
  const { problems, everyMs = DEFAULT_EVERY_MS } = readSyncFlags(flags, host.now())
  if (everyMs < MIN_EVERY_MS) problems.add('--every is too short for a timer: the minimum is 10s')
  if (flags.to === '-')
    problems.add('--to - cannot be used in a timer, where nothing reads the stream', 'name a file or a database')
  if (flags['base-url'] !== undefined)
    problems.add(
      '--base-url cannot be used in a timer, which also needs a key',
      'add a profile: partner profiles add --help',
    )
  problems.throwIfAny()
  const kind = await targetKind(flags.to)
  const settings = settingsOf(host, flags)
  const whose = copyOwner(settings)
  if (whose.profile === null)
    throw usageFailure(
      ["a timer needs a profile, as it does not have this shell's environment variables"],
      'add one, and name it with --profile: partner profiles add --help',
    )
  const source = sourceName(flags.source, kind, whose)
  // Open the target to validate it. A target that contains a password is rejected, because the units would show it.
  await (await openTarget(flags.to, { resource: 'bookings', source, env: host.env, stdout: DISCARDING_STREAM })).close()
  const { unitName, unitsOf } = await import('../../sync/scheduling/units.ts')
  const given = (['source', 'since', 'overlap', 'lease'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, value]
  })
  const { apiKey } = settings
  const name = unitName(['partner', 'bookings', flags.source ?? whose.profile])
  // Only a key from an environment variable needs a secrets file. Other keys are stored in the profile or a file, or
  // come from a command.
  const variable = apiKey !== null && 'env' in apiKey.value ? apiKey.value.env : null
  const secretsFile = variable === null || whose.profile === SANDBOX_PROFILE ? null : `/etc/partner/${name}.env`
  const { service, timer, crontab } = unitsOf({
    description: `Copy of the bookings of ${flags.source ?? whose.profile}`,
    words: [
      ...[process.execPath, resolve(process.argv[1] ?? ''), 'bookings', 'sync', '--profile', whose.profile],
      ...['--to', kind === 'postgres' ? flags.to : resolve(flags.to), ...given],
      ...[...(flags['include-customer'] ? ['--include-customer'] : []), '--no-input'],
    ],
    environment: Object.fromEntries(
      PASSED_VARIABLES.flatMap((variable) => (host.env[variable] ? [[variable, host.env[variable]]] : [])),
    ),
    secretsFile,
    user: userInfo().username,
    everyMs,
  })
  if (!show.isPlain)
    return show.one(
      { service: { name: `${name}.service`, text: service }, timer: { name: `${name}.timer`, text: timer }, crontab },
      { card: unitCard, list: unitList },
    )
  const directory = '/etc/systemd/system'
  const lines = [
    `# ${directory}/${name}.service`,
    service,
    `# ${directory}/${name}.timer`,
    timer,
    ...(secretsFile === null
      ? []
      : [`# The profile reads its key from ${variable}: put ${variable}=… into ${secretsFile}, with mode 0600.`]),
    `# Then: sudo systemctl daemon-reload && sudo systemctl enable --now ${name}.timer`,
    '',
    ...(crontab === null
      ? ['# Cron cannot run at this interval: choose one that divides an hour or a day, such as 1m, 5m or 1h.']
      : ['# Or use cron instead of both units: crontab -e', crontab]),
    '',
  ]
  await show.text(lines.join('\n'))
}
