import type { JsonValue } from '../../../base/json/exact.ts'
import type { RecordedDelivery } from './cleaning/traffic.ts'
import type { LazyHarEntry } from './given/har.ts'

/**
 * A part's content before it is cleaned. Content of kind `own` was written by partner. The other kinds contain data
 * from the service.
 */
export type Content =
  | {
      readonly kind: 'own'
      readonly value: JsonValue
      /** The card numbers in `value`, some of which might not be recognizable by their format. */
      readonly cards?: readonly string[]
    }
  | { readonly kind: 'traffic'; readonly entries: readonly LazyHarEntry[] }
  | { readonly kind: 'deliveries'; readonly deliveries: readonly RecordedDelivery[] }

/** A file in a bundle and the function that collects its content. */
export interface Part {
  /** The file name, such as `doctor.json`. */
  readonly name: string
  /** A short description of the content. */
  readonly about: string
  /** Returns the content, or `null` if there is nothing to add. If it throws, the bundle omits the part. */
  collect(): Promise<Content | null>
}

/** Returns a part that contains JSON written by partner. `read` returns `null` if there is nothing to add. */
export function ownPart(name: string, about: string, read: () => JsonValue | Promise<JsonValue>): Part {
  return {
    ...{ name, about },
    collect: async () => {
      const value = await read()
      return value === null ? null : { kind: 'own', value }
    },
  }
}
