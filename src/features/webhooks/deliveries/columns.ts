import { WEBHOOK_EVENTS } from '../../../contract/events.ts'

/** As wide as any event. */
export const EVENT_WIDTH = Math.max(...WEBHOOK_EVENTS.map((event) => event.length))

/** As wide as any card number. */
export const SUBJECT_WIDTH = 'GIFT1-00000100-AAAA'.length
