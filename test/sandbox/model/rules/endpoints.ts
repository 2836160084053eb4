import { BOOKINGS } from './bookings.ts'
import { CARDS } from './cards.ts'
import { CUSTOMERS } from './customers.ts'
import { INBOUND } from './inbound.ts'
import type { Rules } from './rule.ts'
import { SALES } from './sales.ts'
import { SCHEDULE } from './schedule.ts'
import { WEBHOOKS } from './webhooks.ts'

export const RULES: Rules = { ...BOOKINGS, ...SCHEDULE, ...CARDS, ...WEBHOOKS, ...CUSTOMERS, ...SALES, ...INBOUND }
