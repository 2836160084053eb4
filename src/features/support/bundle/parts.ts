import { arch, platform, release } from 'node:os'
import type { JsonValue } from '../../../base/json/exact.ts'
import { isSameService } from '../../../client/same-service.ts'
import { describeOperation } from '../../../money/operations/describe.ts'
import type { Operation } from '../../../money/operations/operation.ts'
import type { KeptDelivery } from './door/delivery.ts'
import type { GivenEntry } from './given/har.ts'
import { isInSpan, type SinceMs } from './given/last.ts'
import type { Part } from './part.ts'
import type { TrafficRecorder } from './recorder.ts'

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

/** What runs here. */
export function versionsPart(version: string): Part {
  return ownPart('versions.json', 'partner, Node and the system that they run on', () => ({
    ...{ partner: version, node: process.version, openssl: process.versions['openssl'] ?? null },
    ...{ platform: platform(), release: release(), arch: arch() },
  }))
}

/** Whose money writes are meant. */
export interface OperationsAsked {
  readonly profile: string | null
  /** Null: it is not known which service is meant, so those of all are. */
  readonly service: string | null
  readonly sinceMs: SinceMs
  readonly list: () => Promise<readonly Operation[]>
}

/** The money writes of the service whose outcome is or was unknown: those of the span, and all that are open. */
export function operationsPart({ profile, service, sinceMs, list }: OperationsAsked): Part {
  return {
    name: 'operations.json',
    about: 'money writes whose outcome is or was unknown',
    collect: async () => {
      const found = (await list()).filter(
        (operation) =>
          (service === null || isSameService(operation.service, service) || operation.profile === profile) &&
          (operation.state === 'open' || isInSpan(operation.startedAt, sinceMs)),
      )
      const cards = found.filter(({ command }) => !command.startsWith('sales')).map(({ target }) => target)
      return { kind: 'own', value: found.map(describeOperation), cards }
    },
  }
}

/** The deliveries that were read from one journal. `at` counts journals from 0. */
export function journalPart(at: number, deliveries: readonly KeptDelivery[]): Part {
  return {
    name: at === 0 ? 'journal.ndjson' : `journal-${at + 1}.ndjson`,
    about: `webhook deliveries that were kept: ${deliveries.length}`,
    collect: async () => ({ kind: 'deliveries', deliveries }),
  }
}

/** The traffic that was given, and what the parts before this one made, by its time. */
export function trafficPart(given: readonly GivenEntry[], recorder: Pick<TrafficRecorder, 'entries'>): Part {
  const read = given.length === 0 ? '' : `, and ${given.length} more of --har`
  return {
    name: 'traffic.har',
    about: `requests and answers of the reads above${read}`,
    collect: async () => {
      const entries = [...given, ...recorder.entries]
      return { kind: 'traffic', entries: entries.sort((a, b) => timeOf(a) - timeOf(b)) }
    },
  }
}

function timeOf(entry: GivenEntry): number {
  return Date.parse(entry.startedDateTime) || 0
}
