import { shellWord } from '../../base/failure/shell-word.ts'
import { MINUTE_MS } from '../../base/time/units.ts'
import { requireLines, type Scheduled } from './schedule.ts'

const DAY_MINUTES = 1440

/**
 * A line for `crontab -e`; null when cron cannot run something that often, or at even distances. Fails: as {@link requireLines}.
 * Source: crontab(5).
 */
export function crontabLine(scheduled: Scheduled): string | null {
  requireLines(scheduled)
  const { words, environment, secretsFile, everyMs } = scheduled
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
