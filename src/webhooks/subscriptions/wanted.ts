import type { SecretSource } from '../../client/profiles/profile.ts'

/** A place in a file, both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Where a credential is that the service is to send with its deliveries, and where the file says so. */
export interface Reference {
  readonly source: SecretSource
  readonly place: Place
}

/** The credentials that a subscription may have. */
export const CREDENTIALS = ['securityKey', 'securityToken'] as const

/** A subscription as a file wants it; a credential that it does not name is null. */
export interface Wanted extends Readonly<Record<(typeof CREDENTIALS)[number], Reference | null>> {
  readonly event: string
  readonly webhookUrl: string
}

/** Something wrong in a file, in words. */
export interface FileProblem {
  readonly place: Place
  readonly words: string
}

/** What a file says. */
export interface WantedFile {
  readonly wanted: readonly Wanted[]
  /** In the order of the file; with any, `wanted` is not whole. */
  readonly problems: readonly FileProblem[]
}

/** A problem as compilers write it: `hooks.yaml:3:5: …`. */
export function problemLine(name: string, { place, words }: FileProblem): string {
  return `${name}:${place.line}:${place.column}: ${words}`
}
