import { CREDENTIAL_HEADERS } from '../../contract/events.ts'
import { sampleEvent } from '../events/sample.ts'
import { type Answered, type Check, judged } from './check.ts'

const HEADER = CREDENTIAL_HEADERS.securityKey.toLowerCase()

/** Deliveries that somebody else could have sent. */
export const wrongCredentials: Check = {
  name: 'wrong-credentials',
  good: '401 or 403 to a wrong, nearly right, empty or missing key',
  run: async (receiver) => {
    const key = receiver.headers[HEADER]
    if (key === undefined) return { result: 'skipped', yours: 'not tried: it needs --security-key' }
    const body = JSON.stringify(sampleEvent('BOOKING_UPDATED', 'BK-1010'))
    const answers: Answered[] = []
    for (const [to, wrong] of wrongKeys(key)) answers.push({ to, sent: await receiver.send(body, { [HEADER]: wrong }) })
    return judged(answers, (status) => status === 401 || status === 403)
  },
}

/** Keys that are not this one; null sends none. */
function wrongKeys(key: string): (readonly [words: string, key: string | null])[] {
  const last = key.endsWith('a') ? 'b' : 'a'
  return [
    ['another key', 'wrong-key-of-partner-torture'],
    ['its last character changed', key.slice(0, -1) + last],
    ['one character more', `${key}${last}`],
    ['an empty key', ''],
    ['no key', null],
  ]
}
