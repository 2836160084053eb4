import { EXIT_CODES, type FailureCode } from './exit-codes.ts'
import type { Guide } from './guides.ts'

/**
 * The outcome of a change. `none` means that no change was requested or sent. `unknown` means that the change might or
 * might not have taken effect.
 */
export type Outcome = 'none' | 'applied' | 'not-applied' | 'unknown'

export interface FailedRequest {
  readonly method: string
  /** The path as in the specification, but with its parameters filled in. Does not contain the host or the query. */
  readonly path: string
  /** The name of the profile in use; `null` if a flag or environment variable supplied the address instead. */
  readonly profile: string | null
  /** The HTTP status; `null` if no response arrived. */
  readonly status: number | null
  readonly attempts: number
}

/** The service that a failed command was using. */
export interface FailedService {
  /** The host, followed by the port if it is not the default. The built-in service is shown as `sandbox`. */
  readonly host: string
  /** The name of the profile; `null` if none was used. */
  readonly profile: string | null
}

export interface FailureDetail {
  /** The next step for the user, as one line without a full stop. */
  readonly hint?: string | undefined
  /** The page in docs/ with more information. By default, the command and the error code determine the page. */
  readonly guide?: Guide | undefined
  readonly request?: FailedRequest | undefined
  readonly outcome?: Outcome | undefined
  readonly lines?: readonly string[] | undefined
  /** The service's message, followed by its validation errors. Printed separately from partner's text. */
  readonly said?: readonly string[] | undefined
  /** Details for scripts, such as the list of problems or the response. Valid JSON that contains no secrets. */
  readonly details?: unknown
  readonly cause?: unknown
}

/** The error that ends a command. `message` is the complete text, which must be escaped before it is printed. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  /** Partner's own text, printed as one line. Empty if the service's message needs no introduction. */
  readonly words: string
  readonly lines: readonly string[]
  readonly said: readonly string[]
  readonly hint: string | undefined
  readonly guide: Guide | undefined
  readonly request: FailedRequest | undefined
  readonly outcome: Outcome
  readonly details: unknown
  /** The service that the failed command was using, or `undefined` if it used none. Set when the command fails. */
  service: FailedService | undefined

  constructor(code: FailureCode, given: string, detail: FailureDetail = {}) {
    const { said = [], cause } = detail
    const words = shortenQuotes(given)
    const lines = (detail.lines ?? []).map(shortenQuotes)
    const [first, ...more] = said
    super(
      [joinSaid(words, first), ...[...lines, ...more].map((line) => `  ${line}`)].join('\n'),
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.words = words
    this.lines = lines
    this.said = said
    this.hint = detail.hint === undefined ? undefined : shortenQuotes(detail.hint)
    this.guide = detail.guide
    this.request = detail.request
    this.outcome = detail.outcome ?? 'none'
    this.details = detail.details
  }

  withHint(hint: string): Failure {
    return this.#copy(this.words, hint)
  }

  withWords(words: string): Failure {
    return this.#copy(words, this.hint)
  }

  #copy(words: string, hint: string | undefined): Failure {
    const { guide, request, outcome, lines, said, details, cause } = this
    return new Failure(this.code, words, { hint, guide, request, outcome, lines, said, details, cause })
  }

  get exitCode(): number {
    return EXIT_CODES[this.code]
  }
}

/** Returns the failure (exit code 2) for an invalid command line. It lists all problems. */
export function usageFailure(problems: readonly string[], hint?: string, guide?: Guide): Failure {
  const [first = 'the command line is not valid'] = problems
  if (problems.length < 2) return new Failure('USAGE', first, { hint, guide })
  return new Failure('USAGE', `${problems.length} problems:`, {
    lines: problems,
    hint,
    guide,
    details: { problems: problems.map(shortenQuotes) },
  })
}

const LONGEST_QUOTE = 200

/** Shortens long quoted text and states its length, so that 100 KB of invalid input does not bury the error. */
export function shortenQuotes(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text
  return text.replace(/"([^"\\]*(?:\\.[^"\\]*)*)"/g, (whole, quoted: string) =>
    quoted.length <= LONGEST_QUOTE ? whole : `"${quoted.slice(0, 60)}…" (${quoted.length} characters)`,
  )
}

/** Removes the final full stop, so that the sentence can be continued. */
export function stripFullStop(sentence: string): string {
  return sentence.replace(/(?<!\.)\.$/, '')
}

/** Joins partner's own text and the service's message with a colon. Either part can be missing. */
export function joinSaid(words: string, said: string | undefined): string {
  return [words, said].filter((part) => part !== undefined && part !== '').join(': ')
}

/** Returns the message of a thrown value, even if the value is not an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
