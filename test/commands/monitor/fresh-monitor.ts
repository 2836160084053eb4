import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CheckStatus } from '../../../src/features/monitor/output.ts'
import type { Alert } from '../../../src/monitor/alerts/alert.ts'
import {
  type Environment,
  freshDirectory,
  freshHome,
  type Run,
  type Running,
  runPartner,
} from '../../support/partner.ts'
import { startPartner } from '../../support/running.ts'

/** A monitor with its own checks file, directory and home directory. */
export interface FreshMonitor {
  readonly directory: string
  /** The path of the checks file. */
  readonly file: string
  readonly env: Environment
  /** Replaces the checks file. */
  write(text: string): void
  /** Writes a file into the monitor's directory and returns its path. */
  put(name: string, text: string, mode?: number): string
  /** Runs `partner monitor FILE --once`. */
  once(...flags: readonly string[]): Promise<Run>
  /** Runs `partner monitor FILE --once` with the clock set ahead by `ms` milliseconds. */
  onceAt(ms: number, ...flags: readonly string[]): Promise<Run>
  /** Runs any command line in the monitor's directory, with its environment. */
  run(...args: readonly string[]): Promise<Run>
  /** Starts `partner monitor FILE`. The process runs until it is stopped. */
  start(...flags: readonly string[]): Running
  status(...flags: readonly string[]): Promise<readonly CheckStatus[]>
  /** Returns the alerts in a file in the monitor's directory. */
  alerts(name?: string): readonly Alert[]
  /** Returns each alert in a file as the check's name and the change, such as `copy began`. */
  told(name?: string): readonly string[]
}

export function freshMonitor(text: string, env: Environment = { PARTNER_PROFILE: 'sandbox' }): FreshMonitor {
  const directory = freshDirectory()
  const file = join(directory, 'checks.yaml')
  const all = { ...freshHome(), ...env }
  const put = (name: string, content: string, mode = 0o600) => {
    writeFileSync(join(directory, name), content, { mode })
    return join(directory, name)
  }
  put('checks.yaml', text)
  const alerts = (name = 'alerts.ndjson') => {
    const path = join(directory, name)
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
    return lines.map((line) => JSON.parse(line) as Alert)
  }
  return {
    directory,
    file,
    env: all,
    put,
    alerts,
    write: (content) => void put('checks.yaml', content),
    once: (...flags) => runPartner(['monitor', file, '--once', ...flags], { env: all }),
    onceAt: (ms, ...flags) =>
      startPartner(['monitor', file, '--once', ...flags], { env: all, preload: aheadBy(ms) }).ended,
    run: (...args) => runPartner(args, { env: all, cwd: directory }),
    start: (...flags) => startPartner(['monitor', file, ...flags], { env: all, isService: true }),
    status: async (...flags) => {
      const run = await runPartner(['monitor', 'status', file, '--json', ...flags], { env: all })
      expect(run).toMatchObject({ code: 0 })
      return JSON.parse(run.stdout) as CheckStatus[]
    },
    told: (name) => alerts(name).map(({ check, change }) => `${check} ${change}`),
  }
}

/** Returns a script that sets the clock of its process ahead by `ms` milliseconds. */
export function aheadBy(ms: number): string {
  return `const now = Date.now; Date.now = () => now() + ${ms}`
}

export const MINUTE = 60_000
