import { EXIT_CODES, type FailureCode } from './exit-codes.ts'

/**
 * What became of the change that a command asked for.
 * `none`: nothing was to be changed (a read, or a refusal before any request). `unknown`: the answer never came.
 */
export type Outcome = 'none' | 'applied' | 'not-applied' | 'unknown'

/** The request that a failure belongs to, in the specification's own terms. */
export interface FailedRequest {
  readonly method: string
  /** The path as the specification writes it, with its parameters filled in; no host, no query. */
  readonly path: string
  /** The name of the profile in use, or null when the address came from a flag or variable alone. */
  readonly profile: string | null
  /** The HTTP status, or null when no answer came. */
  readonly status: number | null
  /** How many times the request was sent. */
  readonly attempts: number
}

/** The service that a command talked to when it failed. */
export interface FailedService {
  /** With its port where that is not the usual one; `sandbox` for the one inside. */
  readonly host: string
  /** Null when no profile was used. */
  readonly profile: string | null
}

export interface FailureDetail {
  /** What the person should do next: one line, without a full stop when it ends in a command. */
  readonly hint?: string | undefined
  readonly request?: FailedRequest | undefined
  readonly outcome?: Outcome | undefined
  /** More for programs: a list of problems, the service's own answer. JSON-serialisable, free of secrets. */
  readonly details?: unknown
  readonly cause?: unknown
}

/**
 * Anything that ends a command other than success. Its message is one line in plain words, fit for a person;
 * text that came from the service is made safe for a terminal where it is printed, not here.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly hint: string | undefined
  readonly request: FailedRequest | undefined
  readonly outcome: Outcome
  readonly details: unknown
  /** Set where every failure of a command passes, so that none has to know it. Undefined: it talked to none. */
  service: FailedService | undefined

  constructor(code: FailureCode, message: string, detail: FailureDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.code = code
    this.hint = detail.hint
    this.request = detail.request
    this.outcome = detail.outcome ?? 'none'
    this.details = detail.details
  }

  /** The process exit code that belongs to this failure. */
  get exitCode(): number {
    return EXIT_CODES[this.code]
  }
}

/** A usage error (exit 2, nothing was sent) that lists every problem at once. */
export function usageFailure(problems: readonly string[], hint?: string): Failure {
  const [first = 'the command line is not valid'] = problems
  const message =
    problems.length < 2 ? first : `${problems.length} problems:\n${problems.map((p) => `  ${p}`).join('\n')}`
  return new Failure('USAGE', message, { hint, details: problems.length < 2 ? undefined : { problems } })
}
