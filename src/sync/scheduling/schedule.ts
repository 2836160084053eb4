import { usageFailure } from '../../base/failure/failure.ts'

/** What is to run again and again, and as whom. */
export interface Scheduled {
  /** Names the units: letters, digits, and hyphens. */
  readonly name: string
  /** What it does, in a few words. */
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

/** All but the tab, which both programs take as it is. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/

/**
 * Fails: USAGE when a value has a control character. A unit and a crontab are read line by line: cron has no way to write a line
 * break, and what follows one would be a line of its own, which runs as another command.
 */
export function requireLines({ words, environment, description, secretsFile, user }: Scheduled): void {
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

/** A name that systemd takes for a unit, from any text. */
export function unitName(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
}
