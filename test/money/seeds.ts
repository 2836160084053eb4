/** The seed for the first random test. Each subsequent test uses the next number. `PARTNER_SEED` overrides it. */
export const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)

const CHOSEN = process.env['PARTNER_HISTORIES']

/** The number of random tests to run. `PARTNER_HISTORIES` overrides it. */
export const HISTORIES = Number(CHOSEN ?? 180)

/** The number of random tests of payments with keys and a ledger. `PARTNER_HISTORIES` overrides it. */
export const ONCE_HISTORIES = Number(CHOSEN ?? 100)
