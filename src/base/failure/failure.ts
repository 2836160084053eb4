import { EXIT_CODES, type FailureCode } from './exit-codes.ts'
import type { Guide } from './guides.ts'

/** The outcome of a change. `none`: no change was requested or sent. `unknown`: no response arrived. */
export type Outcome = 'none' | 'applied' | 'not-applied' | 'unknown'

export interface FailedRequest {
  readonly method: string
  /** The path in the specification's notation, with parameters filled in, and without host or query. */
  readonly path: string
  /** The name of the profile in use; `null` if a flag or variable gave the address instead. */
  readonly profile: string | null
  /** The HTTP status; `null` if no response arrived. */
  readonly status: number | null
  readonly attempts: number
}

/** The service that a command talked to when it failed. */
export interface FailedService {
  /** The host, with the port unless it is the default; `sandbox` for the built-in service. */
  readonly host: string
  /** The name of the profile; `null` if none was used. */
  readonly profile: string | null
}

export interface FailureDetail {
  /** The next step for the user, in one line without a full stop. */
  readonly hint?: string | undefined
  /** The page of docs/ with more information. If absent, the command and the code determine one. */
  readonly guide?: Guide | undefined
  readonly request?: FailedRequest | undefined
  readonly outcome?: Outcome | undefined
  readonly lines?: readonly string[] | undefined
  /** The service's own words: its message, then its validation errors. Printed apart from partner's own lines. */
  readonly said?: readonly string[] | undefined
  /** Details for scripts, such as the list of problems or the response. JSON without secrets. */
  readonly details?: unknown
  readonly cause?: unknown
}

/** The error that ends a command. `message` is the whole text and is not yet safe to print on a terminal. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  /** Partner's own words, printed as one line. Empty if the service's words suffice. */
  readonly words: string
  readonly lines: readonly string[]
  readonly said: readonly string[]
  readonly hint: string | undefined
  readonly guide: Guide | undefined
  readonly request: FailedRequest | undefined
  readonly outcome: Outcome
  readonly details: unknown
  /** The service that the command talked to. Set when the command fails; `undefined` if it talked to none. */
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

/** Returns the failure (exit 2) of an invalid command line, which lists all problems. */
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

/** Shortens long quoted text and gives its length, so that 100 KB of wrong input does not bury the error. */
export function shortenQuotes(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text
  return text.replace(/"([^"\\]*(?:\\.[^"\\]*)*)"/g, (whole, quoted: string) =>
    quoted.length <= LONGEST_QUOTE ? whole : `"${quoted.slice(0, 60)}…" (${quoted.length} characters)`,
  )
}

/** Removes the final full stop, so that more words can follow. */
export function stripFullStop(sentence: string): string {
  return sentence.replace(/(?<!\.)\.$/, '')
}

/** Joins partner's words with the service's, such as `the list stopped: No.` Either may be missing. */
export function joinSaid(words: string, said: string | undefined): string {
  return [words, said].filter((part) => part !== undefined && part !== '').join(': ')
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
