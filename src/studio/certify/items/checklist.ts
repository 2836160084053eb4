import type { Item } from '../certify.ts'
import { keyNotInUrls, noRedirectWithKey } from './key.ts'
import { backsOff, keepsToRateLimit } from './limits.ts'
import { centsAndUnits, redeemNotRepeated, saleAccepted } from './money.ts'
import { daylightSavingNight } from './night.ts'
import { pollsWithoutGaps } from './polls.ts'
import { signsInbound } from './signs.ts'
import { survivesWebhooks, verifiesCredentials } from './webhooks.ts'

export const CHECKLIST: readonly Item[] = [
  pollsWithoutGaps,
  keepsToRateLimit,
  backsOff,
  redeemNotRepeated,
  saleAccepted,
  survivesWebhooks,
  verifiesCredentials,
  signsInbound,
  daylightSavingNight,
  centsAndUnits,
  noRedirectWithKey,
  keyNotInUrls,
]
