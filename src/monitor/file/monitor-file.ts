import type { Place } from '../../base/json/located/located-yaml.ts'
import type { SecretSource } from '../../client/profiles/profile.ts'
import type { Rule } from '../state/machine.ts'

/** The content of a monitor's file. All paths in it are absolute. */
export interface MonitorFile {
  readonly checks: readonly CheckEntry[]
  readonly alerts: readonly AlertEntry[]
}

export interface CheckEntry extends Rule {
  readonly name: string
  readonly place: Place
  /** The time between two evaluations, in milliseconds. */
  readonly everyMs: number
  /** The time limit for an evaluation, in milliseconds. */
  readonly timeoutMs: number
  readonly what: CheckKind
}

/** A kind of check and its settings. In paths, file names and sources, `{profile}` stands for the venue's profile. */
export type CheckKind =
  | DoctorCheck
  | CopyCheck
  | { readonly kind: 'operations'; readonly openLongerThanMs: number }
  | EventsCheck
  | GapsCheck
  | { readonly kind: 'drift'; readonly failOn: 'documented' | 'assumed' }
  | BooksCheck
  | { readonly kind: 'disk'; readonly path: string; readonly freeBelowBytes: number }
  | { readonly kind: 'command'; readonly command: string }

export interface DoctorCheck {
  readonly kind: 'doctor'
  /** The rows to check, or `null` for all rows. */
  readonly rows: readonly string[] | null
  /** Whether warnings make the check fail, as errors do. */
  readonly warnings: boolean
}

export interface CopyCheck {
  readonly kind: 'copy'
  readonly copy: string
  readonly olderThanMs: number
  readonly resource: CopiedResource
  readonly source: string | null
}

export const COPIED_RESOURCES = ['bookings', 'customers', 'giftcards', 'sales'] as const
export type CopiedResource = (typeof COPIED_RESOURCES)[number]

export interface EventsCheck {
  readonly kind: 'events'
  /** A journal that `webhooks listen` writes, or the URL of its inbox. */
  readonly journal: string
  /** The maximum time without a delivery, in milliseconds, or `null` to check only for dead events. */
  readonly silentForMs: number | null
}

export interface GapsCheck {
  readonly kind: 'gaps'
  readonly journal: string
  readonly copy: string
  readonly source: string | null
  /** The start of the period to compare, such as `-24h`, or `null` to compare all events. */
  readonly since: string | null
}

export interface BooksCheck {
  readonly kind: 'books'
  readonly sales: string
  readonly date: string | null
  readonly map: readonly string[]
  readonly copy: string | null
  readonly source: string | null
}

/** A literal value or a reference to a secret. */
export type Given = { readonly text: string } | { readonly secret: SecretSource }

/** A destination for alerts. */
export type AlertEntry =
  | { readonly kind: 'exec'; readonly command: string }
  | WebhookEntry
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stderr' }

export interface WebhookEntry {
  readonly kind: 'webhook'
  readonly url: Given
  /** The headers, keyed by lower-case name. */
  readonly headers: Readonly<Record<string, Given>>
}
