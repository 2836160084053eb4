/** What is to run again and again, and as whom. */
export interface Scheduled {
  /** Names the units: letters, digits, and hyphens. */
  readonly name: string
  /** What it does, in a few words. */
  readonly description: string
  /** The program and its arguments; paths are absolute. */
  readonly words: readonly string[]
  /** What it needs of the environment. No secret is in it. */
  readonly environment: Readonly<Record<string, string>>
  /** A file with variables that hold secrets; null: it needs none. */
  readonly secretsFile: string | null
  readonly user: string
  /** How long after a run the next one begins. Milliseconds. */
  readonly everyMs: number
}

/** A name that systemd takes for a unit, from any text. */
export function unitName(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
}
