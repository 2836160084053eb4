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
  /** Further lines of our own, such as one a problem. */
  readonly lines?: readonly string[] | undefined
  /**
   * What the service said, word for word: its message first, then its complaints. To a person it is shown as the service's own,
   * never among our lines.
   */
  readonly said?: readonly string[] | undefined
  /** More for programs: a list of problems, the service's own answer. JSON-serialisable, free of secrets. */
  readonly details?: unknown
  readonly cause?: unknown
}

/**
 * Anything that ends a command other than success. Our own `words` are one line, fit for a person, and shown on one whatever
 * they quote; lines of their own have only what is given as such. `message` is all of it as one text, for programs and for
 * other failures. Text is made safe for a terminal where it is printed, not here.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  /** '' when what the service said is all there is to say. */
  readonly words: string
  readonly lines: readonly string[]
  readonly said: readonly string[]
  readonly hint: string | undefined
  readonly request: FailedRequest | undefined
  readonly outcome: Outcome
  readonly details: unknown
  /** Set where every failure of a command passes, so that none has to know it. Undefined: it talked to none. */
  service: FailedService | undefined

  constructor(code: FailureCode, words: string, detail: FailureDetail = {}) {
    const { lines = [], said = [], cause } = detail
    const [first, ...more] = said
    super(
      [joinSaid(words, first), ...[...lines, ...more].map((line) => `  ${line}`)].join('\n'),
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.words = words
    this.lines = lines
    this.said = said
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
  if (problems.length < 2) return new Failure('USAGE', first, { hint })
  return new Failure('USAGE', `${problems.length} problems:`, { lines: problems, hint, details: { problems } })
}

/** Our words, and what the service said to that: `the list stopped: No.` */
export function joinSaid(words: string, said: string | undefined): string {
  return [words, said].filter((part) => part !== undefined && part !== '').join(': ')
}
