import { usageFailure } from '../../base/failure/failure.ts'
import { shellWord } from '../../base/failure/shell-word.ts'
import { MINUTE_MS } from '../../base/time/units.ts'

const DAY_MINUTES = 1440

export interface Scheduled {
  readonly description: string
  /** The program and its arguments; paths are absolute. */
  readonly words: readonly string[]
  /** Contains no secret. */
  readonly environment: Readonly<Record<string, string>>
  /** A file of environment variables with secrets; null if none are needed. */
  readonly secretsFile: string | null
  readonly user: string
  readonly everyMs: number
}

/** A systemd service, a systemd timer, and a crontab line. */
export interface Units {
  readonly service: string
  readonly timer: string
  /** Null if cron cannot run at this interval. */
  readonly crontab: string | null
}

/** Fails: USAGE if a value has a control character. */
export function unitsOf(scheduled: Scheduled): Units {
  requireLines(scheduled)
  return { service: serviceUnit(scheduled), timer: timerUnit(scheduled), crontab: crontabLine(scheduled) }
}

/** Not the tab, which both programs accept. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/

/** Cron cannot express a line break, and what follows one would run as another command. */
function requireLines({ words, environment, description, secretsFile, user }: Scheduled): void {
  const named = [
    ...Object.entries(environment),
    ...[...words, description, secretsFile, user].map((value) => ['', value]),
  ]
  const problems = named.flatMap(([name, value]) =>
    typeof value === 'string' && CONTROL.test(value)
      ? [`${name}${name === '' ? '' : '='}${JSON.stringify(value)} has a control character, such as a line break`]
      : [],
  )
  if (problems.length > 0)
    throw usageFailure(problems, 'a unit or a crontab cannot hold it: rename the file or the directory')
}

/** Source: systemd.service(5), systemd.exec(5). */
function serviceUnit({ description, words, environment, secretsFile, user }: Scheduled): string {
  return [
    '[Unit]',
    `Description=${description.replaceAll('%', '%%')}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    `User=${user}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    ...(secretsFile === null ? [] : [`EnvironmentFile=${secretsFile.replaceAll('%', '%%')}`]),
    `ExecStart=${words.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    '# 12: another run holds the copy. 130: systemd stopped it. Nothing is lost in either.',
    'SuccessExitStatus=12 130',
    '',
  ].join('\n')
}

/** Source: systemd.timer(5). */
function timerUnit({ description, everyMs }: Scheduled): string {
  const seconds = Math.round(everyMs / 1000)
  return [
    '[Unit]',
    `Description=${description.replaceAll('%', '%%')}, again and again`,
    '',
    '[Timer]',
    'OnActiveSec=10s',
    `OnUnitInactiveSec=${seconds}s`,
    '# Many hosts that start together must not all ask together.',
    `RandomizedDelaySec=${Math.floor(seconds / 10)}s`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n')
}

/** Quotes a word as systemd splits and expands it. */
function quoted(word: string): string {
  const text = word.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** `null` if cron cannot run at this interval. Source: crontab(5). */
function crontabLine({ words, environment, secretsFile, everyMs }: Scheduled): string | null {
  const when = fieldsOf(everyMs / MINUTE_MS)
  if (when === null) return null
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${shellWord(value)}`)
  const secrets = secretsFile === null ? [] : [`set -a; . ${shellWord(secretsFile)};`]
  const command = [...secrets, ...variables, ...words.map(shellWord)].join(' ')
  // Cron ends the command at a percent sign.
  return `${when} ${command.replaceAll('%', '\\%')}`
}

function fieldsOf(minutes: number): string | null {
  if (!Number.isInteger(minutes) || minutes < 1) return null
  if (minutes === 1) return '* * * * *'
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : null
  if (minutes === DAY_MINUTES) return '0 4 * * *'
  const hours = minutes / 60
  if (!Number.isInteger(hours) || 24 % hours !== 0) return null
  return hours === 1 ? '0 * * * *' : `0 */${hours} * * *`
}

/** Makes a name that systemd accepts from any text. */
export function unitName(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
}
