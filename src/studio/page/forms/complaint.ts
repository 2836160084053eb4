/** What was wrong with a form, and what had been written into it: nothing of that is lost. */
export interface Complaint {
  /** The name of the form: `add-fault`. */
  readonly form: string
  /** What is wrong, in a plain sentence. */
  readonly message: string
  /** What to do about it; null when the message says it. */
  readonly hint: string | null
  readonly written: URLSearchParams
}
