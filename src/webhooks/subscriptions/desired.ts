import type { SecretSource } from '../../client/profiles/profile.ts'

/** A position in a file. Both numbers start at 1. */
export type FilePosition = { readonly line: number; readonly column: number }

/** A credential's source and its position in the file. */
export type Reference = { readonly source: SecretSource; readonly place: FilePosition }

/** The names of a subscription's credentials. */
export const CREDENTIALS = ['securityKey', 'securityToken'] as const

/** A subscription in a file. A credential is `null` if the file does not contain it. */
export interface DesiredSubscription extends Readonly<Record<(typeof CREDENTIALS)[number], Reference | null>> {
  readonly event: string
  readonly webhookUrl: string
}

export type FileProblem = { readonly place: FilePosition; readonly words: string }

/** Formats a problem as a line, such as `hooks.yaml:3:5: …`. */
export function problemLine(name: string, { place, words }: FileProblem): string {
  return `${name}:${place.line}:${place.column}: ${words}`
}
