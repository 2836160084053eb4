/** The result of one check. */
export interface CheckResult {
  readonly check: string
  readonly result: 'ok' | 'fail' | 'skipped'
  /** What a good receiver answers. */
  readonly good: string
  /** What this one answered, or why it was not checked. */
  readonly yours: string
  /** How long the check took. Milliseconds. */
  readonly ms: number
}

/** Prints results as they come. Each method returns the text to print now, '' when there is none. */
export interface CheckReport {
  write(result: CheckResult): string
  /** Call it once, after the last result. A report without it is not taken for whole. */
  end(): string
}
