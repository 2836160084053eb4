import { type Act, answers, closes, hangs, redirectsTo, resets, sends, truncated } from '../support/raw-server.ts'
import type { Reply } from './ledger.ts'

/** Ways to lose the response to a request. */
export const LOSSES = [
  ...(['reset', 'close', 'hang', 'truncate', 'half', 'garbage', 'twice', 'html'] as const),
  ...(['202', '408', '500', '502', '503', '504'] as const),
] as const
/**
 * Ways to lose the response to a sale. The specification does not describe the response, so any 2xx status means that
 * the sale was accepted.
 */
export const SALE_LOSSES = LOSSES.filter((loss) => !['half', 'garbage', 'html', '202'].includes(loss))
/** Ways to lose the response to a redemption. Unlike other responses, it can also contradict itself or the request. */
export const REDEEM_LOSSES = [...LOSSES, 'other-amount', 'contradiction'] as const

/** Untrustworthy responses to a redemption. */
export const REDEEM_LIES = ['documented-500', 'failed-with-amount', 'failed-and-active', 'no-amount'] as const
/** Untrustworthy responses to a cancellation. */
export const CANCEL_LIES = ['documented-500', 'still-active', 'failed-and-cancelled'] as const

export type Loss =
  | (typeof REDEEM_LOSSES)[number]
  | (typeof REDEEM_LIES)[number]
  | (typeof CANCEL_LIES)[number]
  | 'redirect'

const HTML = '<!doctype html><title>Bad gateway</title>'
const FAILED = { isSuccess: false, errorMessage: 'It did not work.' }

/** JSON responses that contradict themselves or lack information. */
const UNBELIEVABLE: Readonly<Partial<Record<Loss, readonly [status: number, body: unknown]>>> = {
  'other-amount': [200, { isSuccess: true, amountRedeemed: 0.01, status: 'Active' }],
  contradiction: [200, { isSuccess: true, status: 'Error' }],
  'no-amount': [200, { isSuccess: true, status: 'Active' }],
  'failed-with-amount': [200, { ...FAILED, amountRedeemed: 25, status: 'Error' }],
  'failed-and-active': [200, { ...FAILED, amountRedeemed: 0, status: 'Active' }],
  'still-active': [200, { status: 'Active' }],
  'failed-and-cancelled': [200, { ...FAILED, status: 'Cancelled' }],
  '500': [500, { message: 'Failed to retrieve card details. The rest was done.' }],
  // This is exactly the message that the specification documents.
  'documented-500': [500, { message: 'Failed to retrieve card details.' }],
}

/** Returns a server action that loses the response `reply` in the given way. */
export function losing(loss: Loss, reply: Reply): Act {
  const body = JSON.stringify(reply.body)
  if (loss === 'reset') return resets
  if (loss === 'close') return closes
  if (loss === 'hang') return hangs
  if (loss === 'truncate') return truncated(body, Math.floor(body.length / 2))
  if (loss === 'half') return sends(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${body.slice(0, -8)}`)
  if (loss === 'garbage') return answers(200, 'Done, or so it seems', { 'content-type': 'application/json' })
  if (loss === 'twice')
    return answers(200, '{"isSuccess":false,"isSuccess":true}', { 'content-type': 'application/json' })
  if (loss === 'redirect') return redirectsTo('https://elsewhere.example/done', 303)
  if (loss === 'html') return answers(200, HTML, { 'content-type': 'text/html' })
  const [status, said] = UNBELIEVABLE[loss] ?? []
  if (status !== undefined) return answers(status, said)
  return answers(Number(loss), HTML, { 'content-type': 'text/html' })
}
