import type { JsonValue } from '../../../base/json/exact.ts'
import type { KeptDelivery } from './door/traffic.ts'
import type { KeptEntry } from './given/har.ts'

/** The content of a part before it is cleaned. `own` is our own text, the others come from elsewhere. */
export type Content =
  | {
      readonly kind: 'own'
      readonly value: JsonValue
      /** The card numbers in it, also unusual ones. */
      readonly cards?: readonly string[]
    }
  | { readonly kind: 'traffic'; readonly entries: readonly KeptEntry[] }
  | { readonly kind: 'deliveries'; readonly deliveries: readonly KeptDelivery[] }

/** A file of a bundle, and where it comes from. */
export interface Part {
  /** `doctor.json` */
  readonly name: string
  /** What it contains, in half a sentence. */
  readonly about: string
  /** Null if there is nothing to add. If it fails, the bundle is made without it. */
  collect(): Promise<Content | null>
}

/** A part of our own JSON. `read` returns null if there is nothing to add. */
export function ownPart(name: string, about: string, read: () => JsonValue | Promise<JsonValue>): Part {
  return {
    ...{ name, about },
    collect: async () => {
      const value = await read()
      return value === null ? null : { kind: 'own', value }
    },
  }
}
