import { usageFailure } from '../../base/failure/failure.ts'
import { quotePosixWord } from '../../base/failure/shell-word.ts'
import { MINUTE_MS } from '../../base/time/units.ts'

const DAY_MINUTES = 1440

export interface Scheduled {
  readonly description: string
  /** The program and its arguments, with absolute paths. */
  readonly words: readonly string[]
  /** The environment variables to set. They contain no secrets. */
  readonly environment: Readonly<Record<string, string>>
  /** A file of environment variables that contain secrets, or `null` if none are needed. */
  readonly secretsFile: string | null
  readonly user: string
  readonly everyMs: number
}

/** A systemd service, a systemd timer, and a crontab line. */
export interface Units {
  readonly service: string
  readonly timer: string
  /** The crontab line, or `null` if cron cannot run at this interval. */
  readonly crontab: string | null
}

/** Returns the units that run a command at an interval. Throws USAGE if a value contains a control character. */
export function unitsOf(scheduled: Scheduled): Units {
  const { environment, words, description, secretsFile, user } = scheduled
  refuseControlCharacters(environment, [...words, description, ...(secretsFile === null ? [] : [secretsFile]), user])
  return { service: serviceUnit(scheduled), timer: timerUnit(scheduled), crontab: crontabLine(scheduled) }
}

/** Matches characters that XML cannot contain, and control characters except the tab, which all schedulers accept. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f\ud800-\udfff\ufffe\uffff]/u

/** Throws USAGE if a value contains a control character. Cron would run the text after a newline as another command. */
export function refuseControlCharacters(
  environment: Readonly<Record<string, string>>,
  values: readonly string[],
): void {
  const named = [...Object.entries(environment), ...values.map((value) => ['', value] as const)]
  const problems = named.flatMap(([name, value]) =>
    CONTROL.test(value)
      ? [`${name}${name === '' ? '' : '='}${JSON.stringify(value)} has a control character, such as a line break`]
      : [],
  )
  if (problems.length > 0)
    throw usageFailure(
      problems,
      'units, crontabs and tasks cannot contain control characters: rename the file or the directory',
    )
}

/** Returns the service unit's text. Source: systemd.service(5), systemd.exec(5). */
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
    '# 12: another run holds the copy. 130: systemd stopped the run. No data is lost in either case.',
    'SuccessExitStatus=12 130',
    '',
  ].join('\n')
}

/** Returns the timer unit's text. Source: systemd.timer(5). */
function timerUnit({ description, everyMs }: Scheduled): string {
  const seconds = Math.round(everyMs / 1000)
  return [
    '[Unit]',
    `Description=${description.replaceAll('%', '%%')}, repeatedly`,
    '',
    '[Timer]',
    'OnActiveSec=10s',
    `OnUnitInactiveSec=${seconds}s`,
    '# Keeps hosts that start together from sending their requests together.',
    `RandomizedDelaySec=${Math.floor(seconds / 10)}s`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n')
}

/** Quotes a word for systemd, which splits and expands command lines. */
function quoted(word: string): string {
  const text = word.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Returns a crontab line, or `null` if cron cannot run at this interval. Source: crontab(5). */
function crontabLine({ words, environment, secretsFile, everyMs }: Scheduled): string | null {
  const when = fieldsOf(everyMs / MINUTE_MS)
  if (when === null) return null
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quotePosixWord(value)}`)
  const secrets = secretsFile === null ? [] : [`set -a; . ${quotePosixWord(secretsFile)};`]
  const command = [...secrets, ...variables, ...words.map(quotePosixWord)].join(' ')
  // An unescaped percent sign would end the command in cron.
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

/** Turns arbitrary text into a name that systemd accepts. */
export function unitName(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
}
