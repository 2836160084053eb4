import { expect } from 'vitest'
import type { DoctorRow } from '../../../src/features/support/output.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { RAW_KEY } from '../../support/raw-server.ts'
import { expectClean } from '../../support/refusal.ts'

export interface DoctorRun {
  readonly code: number | null
  readonly rows: readonly DoctorRow[]
  readonly stderr: string
  /** The first failed row, or `undefined` if none failed. */
  readonly cause: DoctorRow | undefined
  row(name: string): DoctorRow | undefined
}

/** Runs `partner doctor --json` and checks the format of its output. */
export async function runDoctor(env: Environment, args: readonly string[] = []): Promise<DoctorRun> {
  const run = await runPartner(['doctor', '--json', ...args], { env: { ...freshHome(), ...env } })
  expectClean(run, [RAW_KEY])
  const answer = JSON.parse(run.stdout) as { readonly rows: readonly DoctorRow[] }
  expect(Object.keys(answer)).toEqual(['rows'])
  for (const row of answer.rows) {
    expect(Object.keys(row)).toEqual(['name', 'status', 'message', 'next'])
    // Every row that reports a problem must have a next step.
    if (row.status === 'fail' || row.status === 'warn') expect(row.next, row.message).toMatch(/\S/)
    else expect(row.next).toBeNull()
  }
  const { rows } = answer
  const cause = rows.find(({ status }) => status === 'fail')
  expect(run.code).toBe(cause === undefined ? 0 : 1)
  return { code: run.code, rows, stderr: run.stderr, cause, row: (name) => rows.find((row) => row.name === name) }
}

/** Returns the names of the rows that were skipped because another row failed. */
export function rowsSkippedFor(rows: readonly DoctorRow[], cause: string): string[] {
  return rows.filter(({ message }) => message === `not checked: ${cause} failed`).map(({ name }) => name)
}
