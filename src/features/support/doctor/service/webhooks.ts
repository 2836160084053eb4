import { isIP } from 'node:net'
import { Failure } from '../../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { isJsonObject } from '../../../../base/json/exact.ts'
import { call } from '../../../../client/calls/call.ts'
import { WEBHOOK_EVENTS } from '../../../../contract/events.ts'
import { listWebhooks } from '../../../../contract/webhooks.ts'
import { NetworkError } from '../../../../http/client/errors.ts'
import { isLoopback } from '../../../../http/loopback.ts'
import { command, type DoctorState, type Examination, isInside, type Section } from '../examination.ts'
import { type Finding, fail, failureLine, ok, warn } from '../finding.ts'
import { resolveHost } from '../network/connection.ts'
import {
  addressOfUrl,
  addressText,
  openConnection,
  orNetworkError,
  type ServerAddress,
  serviceAddress,
} from '../network/sockets.ts'

const NAME = 'webhooks'

type Subscription = { readonly event: string; readonly webhookUrl: string }

/** Checks that every event has a subscription and that the subscription URLs are safe and reachable. */
export const webhooksSection: Section = {
  rows: [NAME],
  needs: ['venue', 'statuses'],
  async *examine(given, known) {
    if (known.session === null) return
    let subscriptions: readonly Subscription[]
    try {
      subscriptions = subscriptionsIn((await call(known.session.caller, listWebhooks, {})).value)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      // The specification does not document this list, so a service might not support it.
      const isAbsent = error.code === 'NOT_FOUND' || error.request?.status === 405
      const message = `the subscriptions cannot be listed: ${failureLine(error)}`
      return yield (isAbsent ? warn : fail)(NAME, message, command('webhooks list -v', given))
    }
    // Check the subscriptions in parallel, so that an unresponsive name server causes only one timeout.
    for (const finding of await Promise.all(subscriptions.map((one) => checkSubscription(one, given, known))))
      if (finding !== null) yield finding
    yield missingRow(subscriptions, given)
  },
}

function subscriptionsIn(value: unknown): Subscription[] {
  const found = Array.isArray(value) ? value.filter(isJsonObject) : []
  return found.flatMap(({ event, webhookUrl }) =>
    typeof event === 'string' && typeof webhookUrl === 'string' ? [{ event, webhookUrl }] : [],
  )
}

/** Returns a row that describes a subscription's problem, or `null` if there is none. */
async function checkSubscription(
  { event, webhookUrl }: Subscription,
  given: Examination,
  known: DoctorState,
): Promise<Finding | null> {
  const name = `webhook ${event}`
  const look = command(`webhooks get ${quoteShellWord(event)}`, given)
  const url = URL.parse(webhookUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    return fail(name, 'its URL is not an http or https address', look)
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  const place = addressOfUrl(url)
  const { host } = place
  if (isLoopback(host)) return checkLocalSubscription(name, shown, place, look, given, known)
  if (url.protocol === 'http:') {
    // A query might contain a token, which must not appear in a suggested command.
    const isPlain = url.search === '' && url.username === '' && url.password === ''
    const secure = isPlain ? `https://${url.host}${url.pathname}` : 'https://…'
    const change = command(`webhooks update ${quoteShellWord(event)} ${quoteShellWord(secure)} --dry-run`, given)
    return fail(
      name,
      `the event is sent to ${shown} over plain http, so anyone on the network path can read it`,
      change,
    )
  }
  if (isIP(host) !== 0 || known.proxy !== null) return null
  const found = await orNetworkError(resolveHost(host, given))
  return found instanceof NetworkError ? warn(name, `the event is sent to ${shown}, and ${found.message}`, look) : null
}

/**
 * Checks a subscription whose URL has a loopback address. Such an address refers to the machine that runs the service.
 */
async function checkLocalSubscription(
  name: string,
  shown: string,
  place: ServerAddress,
  look: string,
  given: Examination,
  known: DoctorState,
) {
  const service = serviceAddress(known)
  if (!isInside(known) && !(service && isLoopback(service.host)))
    return fail(name, `the event is sent to ${shown}, which is the service's machine, not this machine`, look)
  const socket = await orNetworkError(openConnection(given, { ...known, proxy: null }, place))
  if (!(socket instanceof NetworkError)) {
    socket.destroy()
    return ok(name, `the event is sent to ${shown}, and ${addressText(place)} accepts connections`)
  }
  if (socket.kind !== 'refused')
    return fail(name, `the event is sent to ${shown}, and ${addressText(place)}: ${socket.message}`, look)
  const where = place.host === '127.0.0.1' ? '' : ` --host ${place.host}`
  const listen = `partner webhooks listen${where} --port ${place.port}`
  return fail(name, `the event is sent to ${shown}, but nothing is listening at ${addressText(place)}`, listen)
}

function missingRow(subscriptions: readonly Subscription[], given: Examination): Finding {
  const missing = WEBHOOK_EVENTS.filter((event) => !subscriptions.some((one) => one.event === event))
  if (missing.length === 0) return ok(NAME, `all ${WEBHOOK_EVENTS.length} events have a subscription`)
  const isAll = missing.length === WEBHOOK_EVENTS.length
  const count = isAll
    ? 'no event has a subscription'
    : `${WEBHOOK_EVENTS.length - missing.length} of ${WEBHOOK_EVENTS.length} events have a subscription`
  return warn(NAME, `${count}; missing: ${missing.join(', ')}`, command('webhooks list', given))
}
