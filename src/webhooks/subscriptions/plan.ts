import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import { CREDENTIALS, type Wanted } from './wanted.ts'

/** What is to be done about one event. `rotate`: its credentials are sent again, and nothing else changes. */
export type Action = 'create' | 'update' | 'rotate' | 'delete' | 'unchanged'

/** A subscription as the service lists it. */
export interface Standing {
  readonly event: string
  /** Null: the service does not say. */
  readonly webhookUrl: string | null
  /** Null: the service does not say. */
  readonly hasCredentials: boolean | null
}

/** One row of a plan. */
export interface Change {
  readonly event: string
  readonly action: Action
  /** The URL that it has before; null: there is no subscription, or the service does not say. */
  readonly presentUrl: string | null
  /** The URL that it has afterwards; null: no subscription is left. */
  readonly webhookUrl: string | null
  /** `sent` with this change; `kept`: the file names some, and those that stand are left; `none`: the file names none. */
  readonly credentials: 'sent' | 'kept' | 'none'
  /** Why, where the URLs do not show it; null: they do. */
  readonly why: string | null
  /** As the file has it; null: it does not. */
  readonly wanted: Wanted | null
}

/** What makes the subscriptions of a service those of a file. */
export interface ChangePlan {
  /** In the order of the file, then what is to be deleted. */
  readonly changes: readonly Change[]
  /** Events that the file does not list, and that are left. */
  readonly left: readonly string[]
}

/** Reads what the service lists. Fails: SERVICE_ERROR when one of them names no event: it cannot be told what stands. */
export function standingIn(records: readonly JsonValue[]): Standing[] {
  return records.map((record) => {
    const { event, webhookUrl, authenticationEnabled } = isJsonObject(record) ? record : {}
    if (typeof event !== 'string' || event === '')
      throw new Failure('SERVICE_ERROR', 'the service lists a subscription that names no event', {
        hint: 'look at them: partner webhooks list --json; nothing was changed',
      })
    return {
      event,
      webhookUrl: typeof webhookUrl === 'string' && webhookUrl !== '' ? webhookUrl : null,
      hasCredentials: typeof authenticationEnabled === 'boolean' ? authenticationEnabled : null,
    }
  })
}

/**
 * Plans what makes the present subscriptions the desired ones. `prune` deletes what the file does not list; `rotate` sends credentials
 * again where nothing else changes.
 */
export function planChanges(
  wanted: readonly Wanted[],
  standing: readonly Standing[],
  { prune, rotate }: { readonly prune: boolean; readonly rotate: boolean },
): ChangePlan {
  const listed = new Set(wanted.map(({ event }) => event))
  const others = new Map(standing.filter(({ event }) => !listed.has(event)).map((one) => [one.event, one]))
  const changes = wanted.map((one) => {
    const stands = standing.filter(({ event }) => event === one.event)
    // Where the service has several, each must be as wanted.
    return changeOf(one, stands.find((each) => !isSameUrl(one.webhookUrl, each.webhookUrl)) ?? stands[0], rotate)
  })
  if (prune) changes.push(...[...others.values()].map(deletionOf))
  return { changes, left: prune ? [] : [...others.keys()] }
}

function changeOf(wanted: Wanted, stands: Standing | undefined, rotate: boolean): Change {
  const { event, webhookUrl } = wanted
  const names = CREDENTIALS.some((member) => wanted[member] !== null)
  const about = { event, webhookUrl, presentUrl: stands?.webhookUrl ?? null, wanted }
  const sent = names ? 'sent' : 'none'
  if (!stands) return { ...about, action: 'create', credentials: sent, why: null }
  const stays = !names && stands.hasCredentials === true ? STAYS : null
  if (!isSameUrl(webhookUrl, stands.webhookUrl)) return { ...about, action: 'update', credentials: sent, why: stays }
  if (names && stands.hasCredentials === false) return { ...about, action: 'update', credentials: 'sent', why: LACKS }
  if (names && rotate) return { ...about, action: 'rotate', credentials: 'sent', why: null }
  return { ...about, action: 'unchanged', credentials: names ? 'kept' : 'none', why: stays }
}

const LACKS = 'has no credentials yet'
const STAYS = 'has credentials that the file does not name; only deleting it ends them'

function deletionOf({ event, webhookUrl }: Standing): Change {
  const about = { event, presentUrl: webhookUrl, webhookUrl: null, credentials: 'none', wanted: null } as const
  return { ...about, action: 'delete', why: null }
}

/** Whether two URLs are the same, however they are written: a service may add the slash behind a host. */
export function isSameUrl(one: string, other: string | null): boolean {
  if (other === null || one === other) return one === other
  const [first, second] = [URL.parse(one), URL.parse(other)]
  return first !== null && first.href === second?.href
}
