import type { JsonValue } from '../../../base/json/exact.ts'
import type { KeptDelivery } from './door/delivery.ts'
import type { GivenEntry } from './given/har.ts'

/** The content of a part before it is cleaned. `own`: what we say ourselves; the others are what somebody else said. */
export type Content =
  | {
      readonly kind: 'own'
      readonly value: JsonValue
      /** The card numbers in it, also those that do not look like one. */
      readonly cards?: readonly string[]
    }
  | { readonly kind: 'traffic'; readonly entries: readonly GivenEntry[] }
  | { readonly kind: 'deliveries'; readonly deliveries: readonly KeptDelivery[] }

/** A file of a bundle, and where it comes from. */
export interface Part {
  /** `doctor.json` */
  readonly name: string
  /** What it contains, in half a sentence. */
  readonly about: string
  /** Null: there is nothing to put into it, which is no mistake. Fails in any way; the bundle is then made without it. */
  collect(): Promise<Content | null>
}

/** A part that is JSON of our own. `null` from `read`: there is nothing to put into it. */
export function ownPart(name: string, about: string, read: () => JsonValue | Promise<JsonValue>): Part {
  return {
    ...{ name, about },
    collect: async () => {
      const value = await read()
      return value === null ? null : { kind: 'own', value }
    },
  }
}
