/** The seed for the first random test. Each further test uses the next number. `PARTNER_SEED` overrides it. */
export const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)

/** The number of random tests to run. `PARTNER_HISTORIES` overrides it. */
export const HISTORIES = Number(process.env['PARTNER_HISTORIES'] ?? 180)
