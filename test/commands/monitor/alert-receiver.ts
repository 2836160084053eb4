import type { Alert } from '../../../src/monitor/alerts/alert.ts'
import { type Act, answers, type RawRequest, type RawServer, startRawServer } from '../../support/raw-server.ts'

/** An alert receiver that deduplicates alerts by ID, as an on-call service does. */
export interface AlertReceiver {
  readonly server: RawServer
  readonly url: string
  /** Returns the response to a request, or `undefined` to accept the alert. */
  respond: (request: RawRequest, alert: Alert) => Act | undefined
  /** The alerts accepted so far, deduplicated by ID. */
  readonly taken: readonly Alert[]
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const taken = new Map<string, Alert>()
  const server = await startRawServer((request) => {
    const alert = JSON.parse(request.body) as Alert
    const act = receiver.respond(request, alert)
    if (act !== undefined) return act
    const id = request.headers['idempotency-key'] ?? ''
    if (!taken.has(id)) taken.set(id, alert)
    return answers(204)
  })
  const receiver: AlertReceiver = {
    server,
    url: `${server.baseUrl}/in`,
    respond: () => undefined,
    get taken() {
      return [...taken.values()]
    },
  }
  return receiver
}
