const text = (description: string) => ({ type: 'string', description }) as const

const price = (what: string) => ({
  type: 'object',
  description: `${what}, which is positive for a refund or a void too`,
  properties: {
    amount: { type: 'integer', description: 'whole cents: 12500 is 125.00' },
    currency: text('ISO 4217 code'),
  },
  required: ['amount'],
})

/** Returns the schema of the sales that `sales reconcile` compares, in the format of `POST /Sales`. */
export function recordsSchema(): object {
  return {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      properties: {
        origin: {
          type: 'object',
          properties: {
            saleId: text('ID of the sale at the POS'),
            originalSaleId: text('ID of the refunded sale, for a refund'),
          },
          required: ['saleId'],
        },
        type: { type: 'string', enum: ['SALE', 'REFUND', 'VOID'], default: 'SALE' },
        total: price('Total'),
        tax: price('Tax in the total'),
        bookingId: text('ID of the booking that the sale belongs to'),
        table: { type: 'object', properties: { number: text('table number') } },
        closedZonedDateTime: text('when the bill was paid, such as 2026-11-20T10:40:00Z'),
      },
      required: ['origin'],
    },
  }
}
