import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import { CREDENTIALS, type DesiredSubscription } from './desired.ts'

/** What to do with a subscription. `rotate` only sends its credentials again. */
export type Action = 'create' | 'update' | 'rotate' | 'delete' | 'unchanged'

/** A subscription, as listed by the service. Members that are `null` are unknown. */
export interface CurrentSubscription {
  readonly event: string
  readonly webhookUrl: string | null
  readonly hasCredentials: boolean | null
}

/** A planned change to a subscription. */
export interface Change {
  readonly event: string
  readonly action: Action
  /** The current URL, or `null` if there is no subscription or the service does not show its URL. */
  readonly presentUrl: string | null
  /** The URL after the change, or `null` if the subscription is deleted. */
  readonly webhookUrl: string | null
  /**
   * What happens to the credentials. `kept` means that the file contains credentials, but they are not sent. `none`
   * means that the file contains no credentials.
   */
  readonly credentials: 'sent' | 'kept' | 'none'
  /** Why the action is needed, or `null` if the URLs make that clear. */
  readonly why: string | null
  /** The entry in the file, or `null` if the file does not list the subscription. */
  readonly desired: DesiredSubscription | null
}

/**
 * The changes in file order, followed by the deletions. `left` contains the events of subscriptions that are not in the
 * file and are kept.
 */
export type ChangePlan = ReturnType<typeof planChanges>

/** Reads the subscriptions in a response. Throws SERVICE_ERROR if a subscription has no event. */
export function readCurrentSubscriptions(records: readonly JsonValue[]): CurrentSubscription[] {
  return records.map((record) => {
    const { event, webhookUrl, authenticationEnabled } = isJsonObject(record) ? record : {}
    if (typeof event !== 'string' || event === '')
      throw new Failure('SERVICE_ERROR', 'the service lists a subscription without an event', {
        hint: 'nothing was changed; to see the list, run: partner webhooks list --json',
      })
    return {
      event,
      webhookUrl: typeof webhookUrl === 'string' && webhookUrl !== '' ? webhookUrl : null,
      hasCredentials: typeof authenticationEnabled === 'boolean' ? authenticationEnabled : null,
    }
  })
}

/**
 * Plans the changes that produce the desired subscriptions. `prune` deletes all other subscriptions. `rotate` sends
 * credentials again even if nothing else changes.
 */
export function planChanges(
  desired: readonly DesiredSubscription[],
  standing: readonly CurrentSubscription[],
  { prune, rotate }: { readonly prune: boolean; readonly rotate: boolean },
) {
  const listed = new Set(desired.map(({ event }) => event))
  const others = new Map(standing.filter(({ event }) => !listed.has(event)).map((one) => [one.event, one]))
  const changes = desired.map((one) => {
    const stands = standing.filter(({ event }) => event === one.event)
    // If the service lists several subscriptions for one event, a change is needed if any of them differs.
    return changeOf(one, stands.find((each) => !isSameUrl(one.webhookUrl, each.webhookUrl)) ?? stands[0], rotate)
  })
  if (prune) changes.push(...[...others.values()].map(deletionOf))
  return { changes, left: prune ? [] : [...others.keys()] }
}

function changeOf(desired: DesiredSubscription, stands: CurrentSubscription | undefined, rotate: boolean): Change {
  const { event, webhookUrl } = desired
  const names = CREDENTIALS.some((member) => desired[member] !== null)
  const about = { event, webhookUrl, presentUrl: stands?.webhookUrl ?? null, desired }
  const sent = names ? 'sent' : 'none'
  if (!stands) return { ...about, action: 'create', credentials: sent, why: null }
  const stays = !names && stands.hasCredentials === true ? STAYS : null
  if (!isSameUrl(webhookUrl, stands.webhookUrl)) return { ...about, action: 'update', credentials: sent, why: stays }
  if (names && stands.hasCredentials === false) return { ...about, action: 'update', credentials: 'sent', why: LACKS }
  if (names && rotate) return { ...about, action: 'rotate', credentials: 'sent', why: null }
  return { ...about, action: 'unchanged', credentials: names ? 'kept' : 'none', why: stays }
}

const LACKS = 'has no credentials yet'
const STAYS = 'has credentials that the file does not contain; only deleting the subscription removes them'

function deletionOf({ event, webhookUrl }: CurrentSubscription): Change {
  const after = { webhookUrl: null, credentials: 'none', why: null, desired: null } as const
  return { event, action: 'delete', presentUrl: webhookUrl, ...after }
}

/**
 * Returns whether two URLs are equivalent, even if they are written differently. For example, a service may add the
 * slash after a host.
 */
export function isSameUrl(one: string, other: string | null): boolean {
  if (other === null || one === other) return one === other
  const [first, second] = [URL.parse(one), URL.parse(other)]
  return first !== null && first.href === second?.href
}
