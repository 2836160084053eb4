import { EXIT_CODES, type FailureCode } from './exit-codes.ts'
import type { Guide } from './guides.ts'

/** What became of a change. `none`: no change was requested or sent. `unknown`: no response arrived. */
export type Outcome = 'none' | 'applied' | 'not-applied' | 'unknown'

export interface FailedRequest {
  readonly method: string
  /** The path as the specification writes it, with its parameters filled in, without host and query. */
  readonly path: string
  /** The name of the profile in use; null when the address came from a flag or variable alone. */
  readonly profile: string | null
  /** The HTTP status; null if no response arrived. */
  readonly status: number | null
  readonly attempts: number
}

/** The service that a command talked to when it failed. */
export interface FailedService {
  /** The host, with any unusual port; `sandbox` for the service inside. */
  readonly host: string
  /** Null when no profile was used. */
  readonly profile: string | null
}

export interface FailureDetail {
  /** What to do next: one line without a full stop. */
  readonly hint?: string | undefined
  /** The page of docs/ that says more. Without it, the command and the code lead to one, where there is one. */
  readonly guide?: Guide | undefined
  readonly request?: FailedRequest | undefined
  readonly outcome?: Outcome | undefined
  readonly lines?: readonly string[] | undefined
  /** What the service said, word for word: its message, then its complaints. Printed apart from our own lines. */
  readonly said?: readonly string[] | undefined
  /** Details for programs, such as the list of problems or the service's answer. JSON without secrets. */
  readonly details?: unknown
  readonly cause?: unknown
}

/** Ends a command without success. `message` is the whole text, not yet made safe for a terminal. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  /** Our own words, printed as one line. Empty if the service's own words say it all. */
  readonly words: string
  readonly lines: readonly string[]
  readonly said: readonly string[]
  readonly hint: string | undefined
  readonly guide: Guide | undefined
  readonly request: FailedRequest | undefined
  readonly outcome: Outcome
  readonly details: unknown
  /** Set in one place, for every failure of a command. Undefined if the command talked to no service. */
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

/** The failure (exit 2) of a wrong command line: lists every problem at once. */
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

/** Cuts long quotes, and says how long they were: a mistyped 100 KB must not bury the error. */
export function shortenQuotes(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text
  return text.replace(/"([^"\\]*(?:\\.[^"\\]*)*)"/g, (whole, quoted: string) =>
    quoted.length <= LONGEST_QUOTE ? whole : `"${quoted.slice(0, 60)}…" (${quoted.length} characters)`,
  )
}

/** Removes the full stop of a sentence, so that it can be continued. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/(?<!\.)\.$/, '')
}

/** Joins our words with those of the service: `the list stopped: No.` Either may be missing. */
export function joinSaid(words: string, said: string | undefined): string {
  return [words, said].filter((part) => part !== undefined && part !== '').join(': ')
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
