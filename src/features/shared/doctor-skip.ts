/** Returns the message of a doctor row that was skipped because an earlier row failed. */
export function skipMessage(cause: string): string {
  return `not checked: ${cause} failed`
}

/** Returns the failed row's name from the message of a skipped row, or `null` for any other message. */
export function skipCause(message: string): string | null {
  return /^not checked: (.+) failed$/.exec(message)?.[1] ?? null
}
