import { expect } from 'vitest'
import type { Run } from './partner.ts'
import { RAW_KEY } from './raw-server.ts'

/** What a program reads when a command failed. */
export interface ReportedError {
  readonly code: string
  readonly exitCode: number
  readonly message: string
  readonly hint?: string
  readonly status?: number
  readonly method?: string
  readonly path?: string
  readonly attempts?: number
  readonly outcome: string
  readonly details?: unknown
}

export interface ExpectedRefusal {
  readonly code: number
  readonly says: RegExp | string
  readonly next?: RegExp | string | undefined
  /** Texts that no output may hold; never {@link RAW_KEY}. */
  readonly secrets?: readonly string[]
}

/** Expects a failure that a person can do something with: one line of what happened, one of what to do, and no data. */
export function expectRefusal(run: Run, { code, says, next, secrets = [] }: ExpectedRefusal): void {
  const lines = run.stderr.split('\n')
  expect(run, run.stderr).toMatchObject({ code, stdout: '' })
  expect(lines.filter((line) => line.startsWith('error: '))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('next: '))).toHaveLength(1)
  expect(run.stderr).toMatch(says)
  if (next !== undefined) expect(lines.find((line) => line.startsWith('next: '))).toMatch(next)
  expectClean(run, [RAW_KEY, ...secrets])
}

/** Expects that a command is refused with this exit code, in these words; `next` is what to do. */
export async function refused(run: Promise<Run>, code: number, says: RegExp | string, next?: RegExp | string) {
  expectRefusal(await run, { code, says, next })
}

/** The ID of the operation that a run left open, by its error. */
export function operationOf(run: Run): string {
  return String((reportedError(run).details as { operation?: unknown }).operation)
}

/** Expects output without a stack trace, an escape sequence, or any of these texts. */
export function expectClean({ stdout, stderr }: Run, secrets: readonly string[] = []): void {
  expect(stderr).not.toMatch(/^\s+at .+:\d+/m)
  expect(stderr).not.toMatch(/node:internal|undefined|\[object Object\]|ExperimentalWarning/)
  expect(stdout + stderr).not.toMatch(/\u001b/)
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
}

/** The error that a run with `--json` reported: one JSON object on stderr, after any lines that are none. */
export function reportedError(run: Run): ReportedError {
  const objects = run.stderr.split('\n').filter((line) => line.startsWith('{'))
  expect(objects).toHaveLength(1)
  const parsed = JSON.parse(objects[0] ?? '') as { error: ReportedError }
  expect(Object.keys(parsed)).toEqual(['error'])
  expect(parsed.error.exitCode).toBe(run.code)
  return parsed.error
}
