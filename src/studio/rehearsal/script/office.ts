import type { JsonObject } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { PARTNER_NAME } from '../../../sandbox/credentials.ts'
import { between, pick } from '../../../sandbox/seed/random.ts'
import { HOUR } from '../../../sandbox/venue/time.ts'
import { timeOf } from '../day.ts'
import { numberAt, stringAt } from '../venue-data.ts'
import { redeem } from './bill.ts'
import { SCENES, type Stage } from './stage.ts'

/**
 * Plans the gift card requests that tills and the office send: card reads, valid redemptions, redemptions that exceed
 * the balance, and a cancellation that is sent twice.
 */
export function planCards(stage: Stage, cards: readonly JsonObject[]): void {
  const random = stage.drawFor(SCENES.cards)
  const { agenda, day, send, tally } = stage
  const locationId = stage.venue.id
  const plan = (act: () => Promise<unknown>) =>
    agenda.plan(timeOf(day, between(random, 9 * HOUR, 21 * HOUR)), async () => void (await act()))
  const inState = (status: string) =>
    cards.filter((card) => card['status'] === status).map((card) => stringAt(card, 'cardNumber'))
  const active = inState('Active')
  const spent = [...inState('Redeemed'), ...inState('Expired'), ...inState('Cancelled')]
  plan(() => redeem(stage, 'AAAAA-00000000-ZZZZ', 1_000))
  if (spent.length > 0) plan(() => redeem(stage, pick(random, spent), 2_500))
  if (active.length === 0) return
  const small = active.filter((number) => readBalance(cards, number) <= 100)
  for (const number of small.slice(0, 1))
    plan(async () => {
      if (await redeem(stage, number, readBalance(cards, number))) tally.redeemedCents += readBalance(cards, number)
    })
  const tooMuch = pick(random, active)
  plan(() => redeem(stage, tooMuch, readBalance(cards, tooMuch) + 1))
  const [other, gone] = [pick(random, active), pick(random, active)]
  const inbound = (what: string, body: Readonly<Record<string, unknown>>) =>
    send('POST', `/partners/${PARTNER_NAME}/giftcards/${what}`, body)
  plan(() => inbound('balance', { cardNumber: other, locationId }))
  plan(async () => {
    const { body } = await inbound('redeem', { cardNumber: other, amount: 5.5, locationId })
    const worked = valueAt(body, 'isSuccess') === true
    if (worked) tally.redeemedCents += 550
    if (worked) tally.redemptions++
    else tally.cardsRefused++
  })
  const cancelled = timeOf(day, between(random, 16 * HOUR, 20 * HOUR))
  const cancel = async () => {
    const { status } = await send('PATCH', '/GiftCards/cancel', { cardNumber: gone })
    if (status === 200) tally.cardsCancelled++
  }
  agenda.plan(cancelled, cancel)
  agenda.plan(cancelled + between(random, 10_000, 600_000), cancel)
}

function readBalance(cards: readonly JsonObject[], number: string): number {
  const card = cards.find(({ cardNumber }) => cardNumber === number)
  return Math.round(numberAt(card, 'remainingAmount') * 100)
}

/**
 * Plans the office's other requests, which unsubscribe customers, send a test notification, and refer to an unknown
 * booking.
 */
export function planOffice(stage: Stage, customers: readonly JsonObject[]): void {
  const random = stage.drawFor(SCENES.office)
  const { agenda, day, send, tally } = stage
  const plan = (act: () => Promise<unknown>) =>
    agenda.plan(timeOf(day, between(random, 9 * HOUR, 18 * HOUR)), async () => void (await act()))
  if (customers.length > 0)
    for (let left = between(random, 2, 4); left > 0; left--) {
      const id = stringAt(pick(random, customers), 'id')
      plan(async () => {
        const { status } = await send('POST', `/Customers/${id}/unsubscribe`)
        if (status === 200) tally.unsubscribed++
      })
    }
  const notify = `/Sales/partners/${PARTNER_NAME}/events/webhooks.test_notification`
  plan(() => send('POST', notify, { message: 'Testing, 1, 2' }))
  plan(() => send('GET', '/Bookings/BK-0000'))
  plan(() => send('PATCH', '/Bookings/BK-0000/updatestatus', { status: 'SEATED' }))
}
