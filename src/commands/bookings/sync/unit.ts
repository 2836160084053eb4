import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { usageFailure } from '../../../base/failure/failure.ts'
import { SANDBOX_PROFILE, type SecretSource } from '../../../client/profiles/profile.ts'
import { readSyncFlags } from '../../../features/copies/flags.ts'
import { unitCard, unitList } from '../../../features/copies/views.ts'
import { NOWHERE, settingsOf, sourceOf, TARGET_FLAGS, whoseOf } from '../../../features/shared/copies.ts'
import { openTarget, targetKind } from '../../../sync/open-target.ts'
import { flag, PROFILE_FLAGS, toggle } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

/** How long after a run the next one begins. Milliseconds. */
const USUAL_EVERY_MS = 300_000
const LEAST_EVERY_MS = 10_000

/** Variables that a sync goes by. None holds a secret. */
const KEPT_VARIABLES = [
  ...['PARTNER_CONFIG_DIR', 'PARTNER_DATA_DIR', 'PARTNER_CACHE_DIR'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS'],
  ...['PGPASSFILE', 'PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'],
]

export default class BookingsSyncUnit extends PartnerCommand {
  static override summary = 'Print what runs a sync again and again: a systemd service and timer, and a crontab line.'
  static override description =
    'They are filled in with the paths of this machine, the profile, and the flags that are given here for bookings sync. Nothing is installed, and no secret is printed: the key is read from the profile.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to venue.db',
    '<%= config.bin %> <%= command.id %> --to venue.db --every 1h --json --query service.text -r > partner-bookings.service',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = {
    ...TARGET_FLAGS,
    every: flag('DUR', 'How long after a run the next one begins (default: 5m).'),
    since: flag('TIME', 'As for bookings sync.'),
    overlap: flag('DUR', 'As for bookings sync.'),
    lease: flag('DUR', 'As for bookings sync.'),
    'include-customer': toggle('As for bookings sync.'),
  }

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(BookingsSyncUnit)
    const { problems, everyMs = USUAL_EVERY_MS } = readSyncFlags(flags, host.now())
    if (everyMs < LEAST_EVERY_MS) problems.add('--every is too short for a timer: the shortest is 10s')
    if (flags.to === '-') problems.add('--to - has nobody to read it from a timer', 'name a file or a database')
    if (flags['base-url'] !== undefined)
      problems.add(
        '--base-url is not for a timer, which needs a key beside it',
        'add a profile: partner profiles add --help',
      )
    problems.throwIfAny()
    const kind = await targetKind(flags.to)
    const settings = settingsOf(host, flags)
    const whose = whoseOf(settings)
    if (whose.profile === null)
      throw usageFailure(
        ['a timer needs a profile: it has none of the variables of this shell'],
        'add one, and name it with --profile: partner profiles add --help',
      )
    const source = sourceOf(flags.source, kind, whose)
    // It also checks the target: what is printed here must hold no password.
    await (await openTarget(flags.to, { resource: 'bookings', source, env: host.env, stdout: NOWHERE })).close()
    const [{ crontabLine }, { serviceUnit, timerUnit }, { unitName }] = await Promise.all([
      import('../../../sync/scheduling/crontab.ts'),
      import('../../../sync/scheduling/systemd.ts'),
      import('../../../sync/scheduling/schedule.ts'),
    ])
    const to = kind === 'postgres' ? flags.to : resolve(flags.to)
    const given = (['source', 'since', 'overlap', 'lease'] as const).flatMap((name) => {
      const value = flags[name]
      return value === undefined ? [] : [`--${name}`, value]
    })
    const name = unitName(['partner', 'bookings', flags.source ?? whose.profile])
    const variable = variableOf(settings.apiKey?.value ?? null)
    const scheduled = {
      name,
      description: `Copy of the bookings of ${flags.source ?? whose.profile}`,
      words: [
        ...[process.execPath, resolve(process.argv[1] ?? ''), 'bookings', 'sync', '--profile', whose.profile],
        ...['--to', to, ...given, ...(flags['include-customer'] ? ['--include-customer'] : []), '--no-input'],
      ],
      environment: Object.fromEntries(
        KEPT_VARIABLES.flatMap((variable) => (host.env[variable] ? [[variable, host.env[variable]] as const] : [])),
      ) as Record<string, string>,
      secretsFile: variable === null || whose.profile === SANDBOX_PROFILE ? null : `/etc/partner/${name}.env`,
      user: userInfo().username,
      everyMs,
    }
    const units = {
      service: { name: `${name}.service`, text: serviceUnit(scheduled) },
      timer: { name: `${name}.timer`, text: timerUnit(scheduled) },
      crontab: crontabLine(scheduled),
    }
    if (!show.isPlain) return show.one(units, { card: unitCard, list: unitList })
    await show.text(pasted(units, scheduled.secretsFile === null ? null : { file: scheduled.secretsFile, variable }))
  }
}

/** The variable that the key is read from; null: it is in the profile, in a file, or given by a command. */
function variableOf(apiKey: SecretSource | null): string | null {
  return apiKey !== null && 'env' in apiKey ? apiKey.env : null
}

interface Units {
  readonly service: { readonly name: string; readonly text: string }
  readonly timer: { readonly name: string; readonly text: string }
  readonly crontab: string | null
}

/** The units as comments tell a person to use them. */
function pasted({ service, timer, crontab }: Units, secrets: { file: string; variable: string | null } | null): string {
  const directory = '/etc/systemd/system'
  return [
    `# ${directory}/${service.name}`,
    service.text,
    `# ${directory}/${timer.name}`,
    timer.text,
    ...(secrets === null
      ? []
      : [
          `# The profile reads its key from ${secrets.variable}: put ${secrets.variable}=… into ${secrets.file}, mode 0600.`,
        ]),
    `# Then: sudo systemctl daemon-reload && sudo systemctl enable --now ${timer.name}`,
    '',
    ...(crontab === null
      ? ['# Cron cannot run it at this distance: choose 1m, 5m, 1h or another part of an hour or a day.']
      : ['# Or with cron, in place of both: crontab -e', crontab]),
    '',
  ].join('\n')
}
