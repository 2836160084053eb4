import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { usageFailure } from '../../failure/failure.ts'
import type { Format } from '../../render/view.ts'
import { parseDuration } from '../../time/duration.ts'
import { Problems } from './problems.ts'

/** The flags that are read outside their command too. */
export interface CommonFlags {
  readonly output?: Format | undefined
  readonly json?: boolean | undefined
  readonly columns?: string | undefined
  readonly query?: string | undefined
  readonly curl?: boolean | undefined
  readonly har?: string | undefined
  readonly yes?: boolean | undefined
  readonly verbose?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly profile?: string | undefined
  readonly 'base-url'?: string | undefined
  readonly timeout?: string | undefined
  readonly retries?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'no-validate'?: boolean | undefined
  readonly param?: string[] | undefined
  readonly set?: string[] | undefined
  readonly data?: string | undefined
  readonly force?: boolean | undefined
}

/** The flags and arguments that a command declares. */
export interface StatedInput<F extends Record<string, unknown>, A extends Record<string, unknown>> {
  readonly flags?: FlagInput<F>
  readonly args?: ArgInput<A>
}

/** Reads the paths of `--columns`; null when it is not given. Fails: USAGE for an empty one. */
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

/** Reads the extra query parameters of `--param`. One that is not `k=v` becomes a problem. */
export function parseParameters({ param = [] }: CommonFlags, problems: Problems): (readonly [string, string])[] {
  return param.flatMap((parameter) => {
    const equals = parameter.indexOf('=')
    if (equals > 0) return [[parameter.slice(0, equals), parameter.slice(equals + 1)] as const]
    problems.add(`--param must be k=v, not ${JSON.stringify(parameter)}`)
    return []
  })
}

/** Reads the time limit in milliseconds and the number of retries; undefined where not given. Fails: USAGE. */
export function parseEffort(
  { timeout, retries }: CommonFlags,
  argv: readonly string[],
): { timeoutMs: number | undefined; retries: number | undefined } {
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
  problems.throwIfAny()
  return effort
}
