import type { WireRecord } from '../../base/json/list/wire-record.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { toSyncRecord } from './sync-record.ts'

/**
 * A record whose text is decoded on demand from a larger buffer. The buffer stays in memory as long as the record does.
 */
export class LazyRecord implements SyncRecord {
  readonly bytes: Buffer
  readonly #resource: Resource
  #record: SyncRecord | null = null

  /** `bytes` must be a valid JSON value on one line. */
  constructor(bytes: Buffer, resource: Resource) {
    this.bytes = bytes
    this.#resource = resource
  }

  get text(): string {
    return this.plain.text
  }

  get id(): string | null {
    return this.plain.id
  }

  get changedMs(): number | null {
    return this.plain.changedMs
  }

  get version(): string {
    return this.plain.version
  }

  /** The decoded record, which does not keep the buffer in memory. */
  get plain(): SyncRecord {
    this.#record ??= toSyncRecord(this.bytes.toString('utf8'), this.#resource)
    return this.#record
  }
}

/** Creates a record from the service's JSON. Does not decode JSON that is on one line. */
export function toLazyRecord(wire: WireRecord, resource: Resource): SyncRecord {
  const { place } = wire
  if (!place?.isOneLine) return toSyncRecord(wire.text, resource)
  return new LazyRecord(place.bytes.subarray(place.from, place.to), resource)
}
