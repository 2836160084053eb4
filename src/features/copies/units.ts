import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { option } from '@oclif/core/flags'
import { usageFailure } from '../../base/failure/failure.ts'
import { MINUTE_MS } from '../../base/time/units.ts'
import { SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { openTarget, targetKind } from '../../sync/open-target.ts'
import { type FlagValues, flag, toggle } from '../../terminal/input/flags.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { copyOwner, DISCARDING_STREAM, settingsOf, sourceName, TARGET_FLAGS } from '../shared/copies.ts'
import { readSyncFlags } from './flags.ts'
import { unitCard, unitList } from './views.ts'

const FORMATS = ['systemd', 'cron', 'schtasks'] as const
type UnitFormat = (typeof FORMATS)[number]

const DEFAULT_EVERY_MS = 300_000
const MIN_EVERY_MS = 10_000

/** The environment variables that a sync uses. They contain no secrets. */
const PASSED_VARIABLES = [
  ...['PARTNER_CONFIG_DIR', 'PARTNER_DATA_DIR', 'PARTNER_CACHE_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
  ...['PGPASSFILE', 'PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'],
]

export const UNIT_FLAGS = {
  ...TARGET_FLAGS,
  every: flag('DUR', 'The pause between two runs (default: 5m).'),
  format: option({ options: FORMATS })({
    helpValue: FORMATS.join('|'),
    summary: 'What to print (default: schtasks on Windows, elsewhere systemd and cron).',
  }),
  since: flag('TIME', 'As in bookings sync.'),
  overlap: flag('DUR', 'As in bookings sync.'),
  lease: flag('DUR', 'As in bookings sync.'),
  'include-customer': toggle('As in bookings sync.'),
} as const

type UnitFlags = FlagValues<typeof UNIT_FLAGS>

/** The command that the scheduler runs, and its settings. */
interface Job {
  /** The name of the unit or the task. */
  readonly name: string
  readonly description: string
  readonly words: readonly string[]
  /** The environment variables to set for the sync, with their values in this shell. */
  readonly environment: Readonly<Record<string, string>>
  /** The environment variable that contains the profile's key, or `null` if the key is stored elsewhere. */
  readonly keyVariable: string | null
  readonly everyMs: number
}

/** Shows the systemd units, the crontab line or the scheduled task that runs a sync. Throws USAGE or NO_PROFILE. */
export async function showUnits(opened: Opened<UnitFlags, object>): Promise<void> {
  const format = opened.flags.format ?? (process.platform === 'win32' ? 'schtasks' : null)
  const job = await readJob(opened, format)
  await (format === 'schtasks' ? showTask(opened, job) : showSystemdAndCron(opened, job, format))
}

async function readJob({ flags, host }: Opened<UnitFlags, object>, format: UnitFormat | null): Promise<Job> {
  const { problems, everyMs = DEFAULT_EVERY_MS } = readSyncFlags(flags, host.now())
  if (everyMs < MIN_EVERY_MS) problems.add('--every is too short for a timer: the minimum is 10s')
  else if (format === 'schtasks' && everyMs < MINUTE_MS)
    problems.add('--every is too short for Task Scheduler: the minimum is 1m')
  if (flags.to === '-')
    problems.add('--to - cannot be used in a timer, where nothing reads the stream', 'use a file or a database')
  if (flags['base-url'] !== undefined)
    problems.add(
      '--base-url cannot be used in a timer, because a timer also needs a key',
      'add a profile: partner profiles add --help',
    )
  problems.throwIfAny()
  const kind = await targetKind(flags.to, true)
  const settings = settingsOf(host, flags)
  const whose = copyOwner(settings)
  if (whose.profile === null)
    throw usageFailure(
      ["a timer needs a profile, as it does not have this shell's environment variables"],
      'add a profile and select it with --profile: partner profiles add --help',
    )
  const source = sourceName(flags.source, kind, whose)
  // Open the target to validate it. A target that contains a password is rejected, because the units would show it.
  await (
    await openTarget(flags.to, kind, { resource: 'bookings', source, env: host.env, stdout: DISCARDING_STREAM })
  ).close()
  const { unitName } = await import('../../sync/scheduling/units.ts')
  const given = (['source', 'since', 'overlap', 'lease'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, value]
  })
  const { apiKey } = settings
  const hasKeyVariable = whose.profile !== SANDBOX_PROFILE && apiKey !== null && 'env' in apiKey.value
  return {
    name: unitName(['partner', 'bookings', flags.source ?? whose.profile]),
    description: `Copy of the bookings of ${flags.source ?? whose.profile}`,
    words: [
      ...[process.execPath, resolve(process.argv[1] ?? ''), 'bookings', 'sync', '--profile', whose.profile],
      ...['--to', kind === 'postgres' ? flags.to : resolve(flags.to), ...given],
      ...[...(flags['include-customer'] ? ['--include-customer'] : []), '--no-input'],
    ],
    environment: Object.fromEntries(
      PASSED_VARIABLES.flatMap((variable) => (host.env[variable] ? [[variable, host.env[variable]]] : [])),
    ),
    keyVariable: hasKeyVariable ? apiKey.value.env : null,
    everyMs,
  }
}

async function showSystemdAndCron(
  { show }: Opened<UnitFlags, object>,
  { keyVariable, ...job }: Job,
  format: UnitFormat | null,
): Promise<void> {
  const { unitsOf } = await import('../../sync/scheduling/units.ts')
  const { name } = job
  // Only a key from an environment variable needs a secrets file. Other keys are stored in the profile or a file, or
  // come from a command.
  const secretsFile = keyVariable === null ? null : `/etc/partner/${name}.env`
  const { service, timer, crontab } = unitsOf({ ...job, secretsFile, user: userInfo().username })
  if (format === 'cron' && crontab === null)
    throw usageFailure(
      ['cron cannot run at this interval'],
      'choose an interval that divides an hour or a day, such as --every 5m or --every 1h',
    )
  if (!show.isPlain)
    return show.one(
      {
        service: format === 'cron' ? null : { name: `${name}.service`, text: service },
        timer: format === 'cron' ? null : { name: `${name}.timer`, text: timer },
        crontab: format === 'systemd' ? null : crontab,
        task: null,
      },
      { card: unitCard, list: unitList },
    )
  const directory = '/etc/systemd/system'
  const key =
    keyVariable === null
      ? []
      : [`# The profile reads its key from ${keyVariable}: put ${keyVariable}=… into ${secretsFile}, with mode 0600.`]
  if (format === 'cron') return show.text([...key, crontab, ''].join('\n'))
  const lines = [
    `# ${directory}/${name}.service`,
    service,
    `# ${directory}/${name}.timer`,
    timer,
    ...key,
    `# Then: sudo systemctl daemon-reload && sudo systemctl enable --now ${name}.timer`,
    '',
  ]
  if (format === 'systemd') return show.text(lines.join('\n'))
  const cron =
    crontab === null
      ? ['# Cron cannot run at this interval: choose one that divides an hour or a day, such as 1m, 5m or 1h.']
      : ['# Or use cron instead of both units: crontab -e', crontab]
  await show.text([...lines, ...cron, ''].join('\n'))
}

async function showTask({ show, host }: Opened<UnitFlags, object>, job: Job): Promise<void> {
  const { taskOf } = await import('../../sync/scheduling/scheduled-task.ts')
  // On Windows, partner does not read the XDG variables.
  const environment = Object.fromEntries(Object.entries(job.environment).filter(([name]) => !name.startsWith('XDG_')))
  const domain = host.env['USERDOMAIN']
  const user = process.platform === 'win32' ? `${domain ? `${domain}\\` : ''}${userInfo().username}` : null
  const task = taskOf({ ...job, environment, user, startMs: host.now() })
  if (show.isPlain) return show.text(task.text)
  await show.one({ service: null, timer: null, crontab: null, task: { ...task } }, { card: unitCard, list: unitList })
}
