import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject } from '../../base/json/exact.ts'
import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import type { OwnReply, OwnRequest } from './own-requests.ts'

/** Subscribes an address to all events. Fails: USAGE when the service does not take it. */
export async function subscribe(send: (request: OwnRequest) => Promise<OwnReply>, webhookUrl: string): Promise<void> {
  for (const event of WEBHOOK_EVENTS) {
    const { status, body } = await send({ method: 'POST', path: '/Webhooks', body: { event, webhookUrl } })
    if (status === 200) continue
    const why = isJsonObject(body) && typeof body['message'] === 'string' ? body['message'] : `status ${status}`
    throw new Failure('USAGE', `--webhooks ${JSON.stringify(webhookUrl)} cannot be subscribed`, {
      said: [why],
      hint: 'name an address that takes POST requests',
    })
  }
}
