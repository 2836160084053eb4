import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { Fields } from '../../base/json/located/fields.ts'
import { type LocatedValue, type Place, readLocatedYaml } from '../../base/json/located/located-yaml.ts'
import { readGivenFile } from '../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import type { MonitorFile } from './monitor-file.ts'
import { readAlerts } from './read-alerts.ts'
import { readChecks, readEvery } from './read-checks.ts'

const MOST_BYTES = 1024 * 1024
const MOST_PROBLEMS = 100
const DEFAULT_EVERY_MS = 60_000
const HINT = 'nothing was checked; for the file format, see partner help monitor'

/** The content of a monitor's file and the file's location. */
export interface ReadFile extends MonitorFile {
  /** The path as the user gave it. */
  readonly name: string
  /** The file's real path, which identifies the monitor. */
  readonly path: string
  /** The working directory of commands and the base directory for relative paths in the file. */
  readonly directory: string
}

/** A mistake in a file. */
export type FileMistake = { readonly place: Place; readonly words: string }

/**
 * Reads a monitor's file. Throws USAGE if the file cannot be read or contains mistakes. The message gives the line and
 * column of each mistake.
 */
export async function readMonitorFile(name: string, signal: AbortSignal): Promise<ReadFile> {
  const { text, path } = await readText(name, signal)
  const directory = dirname(path)
  const mistakes: FileMistake[] = []
  const complain = (place: Place, words: string) => void mistakes.push({ place, words })
  const root = await readLocatedYaml(text, complain)
  const content = root && readContent(root, directory, complain)
  if (content === null || mistakes.length > 0) throw mistakesFailure(name, mistakes)
  return { ...content, name, path, directory }
}

/** Returns a failure that lists the mistakes in a file, in file order. */
export function mistakesFailure(name: string, mistakes: readonly FileMistake[]): Failure {
  const sorted = [...mistakes].sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
  const lines = sorted
    .slice(0, MOST_PROBLEMS)
    .map(({ place, words }) => `${name}:${place.line}:${place.column}: ${words}`)
  if (sorted.length > lines.length) lines.push(`and ${sorted.length - lines.length} more`)
  return usageFailure(lines, HINT, 'monitor')
}

async function readText(name: string, signal: AbortSignal): Promise<{ readonly text: string; readonly path: string }> {
  try {
    const path = realpathSync(name)
    const { bytes } = await readGivenFile(path, { maxBytes: MOST_BYTES, signal })
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), path }
  } catch (error) {
    if (error instanceof Interrupted || error instanceof Failure) throw error
    throw usageFailure(
      [`cannot read ${JSON.stringify(name)}: ${whyUnreadable(error, name)}`],
      'pass a file that contains checks, in YAML or JSON',
      'monitor',
    )
  }
}

function whyUnreadable(error: unknown, name: string): string {
  if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8 text'
  // The real path identifies the monitor, but a pipe such as /dev/fd/63 does not have one.
  const isPipe = getSystemErrorCode(error) === 'ENOENT' && attempt(() => statSync(name).isFIFO(), false)
  return isPipe ? 'it is a pipe' : describeSystemError(error)
}

function readContent(
  root: LocatedValue,
  directory: string,
  complain: (place: Place, words: string) => void,
): MonitorFile | null {
  const file = Fields.of(root, 'expected checks, and optionally every and alerts', complain)
  if (!file) return null
  file.only(['every', 'alerts', 'checks'])
  const everyMs = readEvery(file) ?? DEFAULT_EVERY_MS
  const alerts = file.has('alerts') ? file.list('alerts', 'destinations: - webhook: https://alerts.example/in') : []
  const checks = file.list('checks', 'checks: - { name: copy, copy: venue.db, older-than: 10m }')
  return {
    alerts: readAlerts(alerts, directory, complain),
    checks: readChecks(checks, everyMs, { directory, complain }),
  }
}
