/** Returns the message of a doctor row that was skipped because an earlier row failed. */
export function skipMessage(cause: string): string {
  return `not checked: ${cause} failed`
}

/** Returns the name of the failed row that such a message contains, or `null` for any other message. */
export function skipCause(message: string): string | null {
  return /^not checked: (.+) failed$/.exec(message)?.[1] ?? null
}
