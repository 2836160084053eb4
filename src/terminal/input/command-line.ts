import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { usageFailure } from '../../base/failure/failure.ts'
import { parseDuration } from '../../base/time/duration.ts'
import type { Format, ReportFormat } from '../render/view.ts'
import { FORMATS, REPORT_FORMATS, type SharedFlags } from './flags.ts'
import { Problems } from './problems.ts'

/** Flags that shared code reads. `--har` is a list in commands that read HAR files. */
export type CommonFlags = {
  readonly [F in keyof SharedFlags]?: SharedFlags[F] | (F extends 'har' ? string[] : never) | undefined
}

export interface StatedInput<F extends Record<string, unknown>, A extends Record<string, unknown>> {
  readonly flags?: FlagInput<F>
  readonly args?: ArgInput<A>
}

/** Sets the output format from PARTNER_OUTPUT if no flag does. Throws USAGE if the format is unknown. */
export function withDefaultFormat<F extends CommonFlags>(
  flags: F,
  env: Readonly<Record<string, string | undefined>>,
): F {
  const usual = env['PARTNER_OUTPUT']
  if (!usual || flags.json || flags.output !== undefined) return flags
  const output = FORMATS.find((format) => format === usual)
  if (output === undefined)
    throw usageFailure(
      [`PARTNER_OUTPUT must be one of ${FORMATS.join(', ')}, not ${JSON.stringify(usual)}`],
      'correct the variable or unset it',
    )
  return { ...flags, output }
}

/** Returns the paths in `--columns`, or `null` if the flag is absent. Throws USAGE for an empty path. */
export function parseColumns(given: string | undefined): readonly string[] | null {
  if (given === undefined) return null
  const paths = given.split(',').map((path) => path.trim())
  if (paths.some((path) => path === ''))
    throw usageFailure(
      [`--columns must not contain an empty name: ${JSON.stringify(given)}`],
      'for example --columns bookingId,customer.lastName',
    )
  return paths
}

/** Returns the data format given with `-o`, or `undefined` if `-o` is absent or names a report or page format. */
export function formatOf({ output }: CommonFlags): Format | undefined {
  return FORMATS.find((format) => format === output)
}

export function reportFormatOf({ output }: CommonFlags): ReportFormat | null {
  return REPORT_FORMATS.find((format) => format === output) ?? null
}

/** Throws USAGE for conflicting formats, and for `--raw` without `--query`. */
export function checkFormat(flags: CommonFlags, argv: readonly string[]): void {
  const { json, raw, query, columns, output } = flags
  const hasOneForm = output !== undefined && formatOf(flags) === undefined
  if (hasOneForm && (query !== undefined || columns !== undefined))
    throw usageFailure(
      [`-o ${output} cannot be used together with ${query === undefined ? '--columns' : '--query'}`],
      `the content of ${output === 'html' ? 'an HTML page' : 'a test report'} is fixed: use only one of them`,
    )
  if (json && output !== undefined && output !== 'json')
    throw usageFailure([`--json cannot be used together with -o ${output}`], 'use only one of them')
  if (!raw) return
  if (query === undefined)
    throw usageFailure(['--raw needs --query'], "add a query, for example --query '[].bookingId' --raw")
  const isTyped = argv.some((word) => /^(?:-o|--output)/.test(word))
  if (isTyped && output !== 'json' && output !== 'ndjson')
    throw usageFailure([`--raw cannot be used together with -o ${output}`], 'use only one of them')
}

/** Reads the query parameters given with `--param`. Adds a problem for each parameter that is not `k=v`. */
export function parseParameters({ param = [] }: CommonFlags, problems: Problems): (readonly [string, string])[] {
  return param.flatMap((parameter) => {
    const equals = parameter.indexOf('=')
    if (equals > 0) return [[parameter.slice(0, equals), parameter.slice(equals + 1)] as const]
    problems.add(`--param must be k=v, not ${JSON.stringify(parameter)}`)
    return []
  })
}

/** Default time limits, in milliseconds, for one attempt at a request. Lists get more time than other requests. */
export const DEFAULT_TIMEOUT_MS = { answer: 30_000, list: 300_000 } as const

/** Default time limit, in milliseconds, for each step of `partner doctor`. */
export const DEFAULT_STEP_MS = 10_000

export const DEFAULT_RETRIES = 3

/**
 * Reads `--retries` and `--timeout`. Converts the timeout to milliseconds. The value of an absent flag is `undefined`.
 * Throws USAGE if a value is invalid.
 */
export function parseEffort({ timeout, retries }: CommonFlags, argv: readonly string[]) {
  const problems = new Problems()
  const givenBy = (flag: string, variable: string) =>
    argv.some((word) => word === flag || word.startsWith(`${flag}=`)) ? flag : variable
  const range = { minMs: 1, maxMs: 86_400_000 }
  const effort = {
    timeoutMs:
      timeout === undefined
        ? undefined
        : problems.check(() => parseDuration(timeout, givenBy('--timeout', 'PARTNER_TIMEOUT'), range)),
    retries: problems.wholeNumber(givenBy('--retries', 'PARTNER_RETRIES'), retries, 0, 20),
  }
  const isVariable = problems.hasProblemWith('PARTNER_RETRIES') || problems.hasProblemWith('PARTNER_TIMEOUT')
  problems.throwIfAny(isVariable ? 'correct the variable or unset it' : undefined)
  return effort
}
