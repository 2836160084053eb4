import { eventBody, subjectKindOf, type WebhookEvent } from '../../contract/events.ts'

/** A booking and a card that exist in every sandbox. */
const SUBJECTS = { booking: 'BK-1001', card: 'GIFT1-00000100-AAAA' } as const

const LOCATION = '5f1d7a3e9b2c4d0012ab34cd'

/** Returns a sample body, as the service would send it. `more` contains additional members. */
export function sample(event: WebhookEvent, subject: string = SUBJECTS[subjectKindOf(event)], more: object = {}) {
  return JSON.stringify({ ...eventBody(event, subject, LOCATION), ...more })
}
