import { getGiftCard } from '../../contract/giftcards.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import type { CardBefore } from '../shared/money/write.ts'
import { giftCardCard, giftCardList } from './views/gift-card.ts'

/** Reads a gift card before it is changed. Throws if the card cannot be read. */
export async function readCardBefore(
  cardNumber: string,
  { service, show }: Pick<RunParts, 'service' | 'show'>,
): Promise<CardBefore> {
  const card = await service.read(getGiftCard, { path: { cardNumber } })
  return {
    value: card.value,
    show: () => show.showBeforeConfirmation(card, { card: giftCardCard, list: giftCardList }),
  }
}
