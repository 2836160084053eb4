import { usageFailure } from '../../base/failure/failure.ts'
import { shellWord } from '../../base/failure/shell-word.ts'
import { MINUTE_MS } from '../../base/time/units.ts'

const DAY_MINUTES = 1440

/** What is to run again and again, and as whom. */
export interface Scheduled {
  readonly description: string
  /** The program and its arguments; paths are absolute. */
  readonly words: readonly string[]
  /** What it needs of the environment. No secret is in it. */
  readonly environment: Readonly<Record<string, string>>
  /** A file with variables that hold secrets; null: it needs none. */
  readonly secretsFile: string | null
  readonly user: string
  /** How long after a run the next one begins. Milliseconds. */
  readonly everyMs: number
}

/** What runs something again and again: the text of a systemd service and timer, and a line of a crontab. */
export interface Units {
  readonly service: string
  readonly timer: string
  /** Null when cron cannot run something that often, or at even distances. */
  readonly crontab: string | null
}

/** Writes the units. Fails: USAGE when a value has a control character. */
export function unitsOf(scheduled: Scheduled): Units {
  requireLines(scheduled)
  return { service: serviceUnit(scheduled), timer: timerUnit(scheduled), crontab: crontabLine(scheduled) }
}

/** All but the tab, which both programs take as it is. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/

/**
 * Fails: USAGE when a value has a control character. A unit and a crontab are read line by line: cron has no way to write a line
 * break, and what follows one would be a line of its own, which runs as another command.
 */
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

/** A run that finds the copy held has nothing to do, and one that systemd stops has lost nothing. */
const NO_FAILURE = '12 130'

/** The unit that runs once. Source: systemd.service(5), systemd.exec(5). */
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
    `SuccessExitStatus=${NO_FAILURE}`,
    '',
  ].join('\n')
}

/** The unit that starts it again and again. Source: systemd.timer(5). */
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

/** A word as systemd splits and expands its lines. */
function quoted(word: string): string {
  const text = word.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** A line for `crontab -e`; null when cron cannot run something that often, or at even distances. Source: crontab(5). */
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

/** A name that systemd takes for a unit, from any text. */
export function unitName(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
}
