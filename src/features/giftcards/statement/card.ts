/** A gift card as a snapshot has it. Amounts in cents; null where the service sent none that is a whole number of them. */
export interface CardState {
  readonly status: string | null
  /** All that was ever put on the card. */
  readonly amount: bigint | null
  /** What is left on it. */
  readonly remaining: bigint | null
}

/** Whether what is left on a card of this status is owed to whoever holds it. */
export function isOwed(status: string | null): boolean {
  return status === 'Active' || status === 'PendingPostage'
}

/** What is owed on a card, in cents. One whose balance cannot be read counts as nothing: its movement says so. */
export function owedOn(card: CardState | null): bigint {
  return card !== null && isOwed(card.status) ? (card.remaining ?? 0n) : 0n
}
