import { expect } from 'vitest'
import type { Run } from './partner.ts'
import { RAW_KEY } from './raw-server.ts'

/** An error that a failed command reports as JSON. */
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
  /** Strings that the output must not contain, in addition to {@link RAW_KEY}. */
  readonly secrets?: readonly string[]
}

/** Expects a failure that prints one line about what happened, one line about what to do next, and no data. */
export function expectRefusal(run: Run, { code, says, next, secrets = [] }: ExpectedRefusal): void {
  const lines = run.stderr.split('\n')
  expect(run, run.stderr).toMatchObject({ code, stdout: '' })
  expect(lines.filter((line) => line.startsWith('error: '))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('next: '))).toHaveLength(1)
  expect(run.stderr).toMatch(says)
  if (next !== undefined) expect(lines.find((line) => line.startsWith('next: '))).toMatch(next)
  expectClean(run, [RAW_KEY, ...secrets])
}

/** Expects a command to fail with the given exit code and message. `next` is the expected hint. */
export async function refused(run: Promise<Run>, code: number, says: RegExp | string, next?: RegExp | string) {
  expectRefusal(await run, { code, says, next })
}

/** Returns the ID of the operation whose outcome is unknown, from the error that a run reported. */
export function operationOf(run: Run): string {
  return String((reportedError(run).details as { operation?: unknown }).operation)
}

/** Expects output without a stack trace, an escape sequence or any of the given strings. */
export function expectClean({ stdout, stderr }: Run, secrets: readonly string[] = []): void {
  expect(stderr).not.toMatch(/^\s+at .+:\d+/m)
  expect(stderr).not.toMatch(/node:internal|undefined|\[object Object\]|ExperimentalWarning/)
  expect(stdout + stderr).not.toMatch(/\u001b/)
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
}

/**
 * Returns the error that a run with `--json` reported. It is the only JSON object on stderr, but other lines can
 * precede it.
 */
export function reportedError(run: Run): ReportedError {
  const objects = run.stderr.split('\n').filter((line) => line.startsWith('{'))
  expect(objects).toHaveLength(1)
  const parsed = JSON.parse(objects[0] ?? '') as { error: ReportedError }
  expect(Object.keys(parsed)).toEqual(['error'])
  expect(parsed.error.exitCode).toBe(run.code)
  return parsed.error
}
