/** Tells a person of what should never happen in a sandbox that serves: each trouble once, however often it comes back. */
export function troubleTeller(warn: (text: string) => Promise<void>): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    const message = error instanceof Error ? error.message : String(error)
    if (told.has(message)) return
    told.add(message)
    void warn(`the sandbox failed: ${message}`).catch(() => undefined)
  }
}
