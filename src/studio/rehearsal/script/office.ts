import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { between, pick } from '../../../sandbox/seed/random.ts'
import { timeOf } from '../day.ts'
import { redeem } from './bill.ts'
import { numberIn, SCENES, type Stage, textIn } from './stage.ts'

const HOUR = 3_600_000

/** Plans what other tills and the office do with gift cards: look, redeem, try too much, cancel, cancel again. */
export function planCards(stage: Stage, cards: readonly JsonObject[]): void {
  const random = stage.drawFor(SCENES.cards)
  const { agenda, day, locationId, partnerName, send, tally } = stage
  const plan = (act: () => Promise<unknown>) =>
    agenda.plan(timeOf(day, between(random, 9 * HOUR, 21 * HOUR)), async () => void (await act()))
  const inState = (status: string) =>
    cards.filter((card) => card['status'] === status).map((card) => textIn(card, 'cardNumber'))
  const active = inState('Active')
  const spent = [...inState('Redeemed'), ...inState('Expired'), ...inState('Cancelled')]
  plan(() => redeem(stage, 'AAAAA-00000000-ZZZZ', 1_000))
  if (spent.length > 0) plan(() => redeem(stage, pick(random, spent), 2_500))
  if (active.length === 0) return
  const small = active.filter((number) => balanceOf(cards, number) <= 100)
  for (const number of small.slice(0, 1))
    plan(async () => {
      if (await redeem(stage, number, balanceOf(cards, number))) tally.redeemedCents += balanceOf(cards, number)
    })
  const tooMuch = pick(random, active)
  plan(() => redeem(stage, tooMuch, balanceOf(cards, tooMuch) + 1))
  const [other, gone] = [pick(random, active), pick(random, active)]
  const inbound = (what: string, body: Readonly<Record<string, unknown>>) =>
    send({ method: 'POST', path: `/partners/${partnerName}/giftcards/${what}`, body })
  plan(() => inbound('balance', { cardNumber: other, locationId }))
  plan(async () => {
    const { body } = await inbound('redeem', { cardNumber: other, amount: 5.5, locationId })
    const worked = isJsonObject(body) && body['isSuccess'] === true
    if (worked) tally.redeemedCents += 550
    if (worked) tally.redemptions++
    else tally.cardsRefused++
  })
  const cancelled = timeOf(day, between(random, 16 * HOUR, 20 * HOUR))
  const cancel = async () => {
    const { status } = await send({ method: 'PATCH', path: '/GiftCards/cancel', body: { cardNumber: gone } })
    if (status === 200) tally.cardsCancelled++
  }
  agenda.plan(cancelled, cancel)
  agenda.plan(cancelled + between(random, 10_000, 600_000), cancel)
}

function balanceOf(cards: readonly JsonObject[], number: string): number {
  const card = cards.find((one) => one['cardNumber'] === number)
  return card ? Math.round(numberIn(card, 'remainingAmount') * 100) : 0
}

/** Plans the rest of the office's day: guests who want no more e-mail, a test of the line, and slips of the hand. */
export function planOffice(stage: Stage, customers: readonly JsonObject[]): void {
  const random = stage.drawFor(SCENES.office)
  const { agenda, day, send, tally, partnerName } = stage
  const plan = (act: () => Promise<unknown>) =>
    agenda.plan(timeOf(day, between(random, 9 * HOUR, 18 * HOUR)), async () => void (await act()))
  if (customers.length > 0)
    for (let left = between(random, 2, 4); left > 0; left--) {
      const id = textIn(pick(random, customers), 'id')
      plan(async () => {
        const { status } = await send({ method: 'POST', path: `/Customers/${id}/unsubscribe` })
        if (status === 200) tally.unsubscribed++
      })
    }
  plan(() =>
    send({
      method: 'POST',
      path: `/Sales/partners/${partnerName}/events/webhooks.test_notification`,
      body: { message: 'Testing, 1, 2' },
    }),
  )
  plan(() => send({ method: 'GET', path: '/Bookings/BK-0000' }))
  plan(() => send({ method: 'PATCH', path: '/Bookings/BK-0000/updatestatus', body: { status: 'SEATED' } }))
}
