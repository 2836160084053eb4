import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** The UTC hour at which each day of the soak begins. The venue's midnight and UTC midnight are both far from it. */
const DAY_BEGINS = 2 * HOUR

/**
 * How long before the first day everything is started. Changes before that are not compared with events, because there
 * were no subscriptions.
 */
export const EVE = 6 * HOUR

/** Returns the path of libfaketime, or `null` if it is not installed. */
export function findFaketime(): string | null {
  if (process.platform !== 'linux') return null
  const found = execFileSync('find', ['/usr/lib', '-name', 'libfaketime.so.1'], { encoding: 'utf8' })
  return found.split('\n')[0] || null
}

/** Prepares variables with which a process, and all that it starts, follows a clock that {@link stepTo} can move. */
export function prepareClock(library: string): Record<string, string> {
  // PostgreSQL runs as another user, who must be able to read the file.
  const directory = mkdtempSync(join(tmpdir(), 'partner-clock-'))
  chmodSync(directory, 0o755)
  const file = join(directory, 'time')
  const offset = dayBeginningAfter(Date.now() + EVE) - EVE - Date.now()
  writeFileSync(file, offsetText(offset))
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Timers use the monotonic clock, which must not move.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    SOAK_OFFSET: String(offset),
  }
}

/** Returns the variables that a child of this process needs to follow the same clock. */
export function clockEnvironment(): Record<string, string> {
  const names = ['LD_PRELOAD', 'FAKETIME_TIMESTAMP_FILE', 'FAKETIME_NO_CACHE', 'FAKETIME_DONT_FAKE_MONOTONIC']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

let offsetMs = Number(process.env['SOAK_OFFSET'] ?? 0)

/** Moves the clock of this process and all its children forward. */
export function stepClock(ms: number): void {
  const file = process.env['FAKETIME_TIMESTAMP_FILE'] as string
  offsetMs += ms
  writeFileSync(`${file}.new`, offsetText(offsetMs), { mode: 0o644 })
  renameSync(`${file}.new`, file)
}

/** Returns when the first day begins that begins after an instant. */
export function dayBeginningAfter(ms: number): number {
  return Math.floor((ms - DAY_BEGINS) / DAY + 1) * DAY + DAY_BEGINS
}

function offsetText(ms: number): string {
  return `+${(ms / 1000).toFixed(3)}\n`
}

/** Removes the directory of a clock, and the files that libfaketime leaves behind when a process is killed. */
export function removeClock(file: string): void {
  rmSync(join(file, '..'), { recursive: true, force: true })
  for (const name of readdirSync('/dev/shm')) {
    const pid = /^(?:sem\.)?faketime_s[eh]m_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join('/dev/shm', name), { force: true })
  }
}
