/** The first history's seed; each further history uses the next seed. `PARTNER_SEED` overrides it. */
export const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)

/** The number of histories to play. `PARTNER_HISTORIES` overrides it. */
export const HISTORIES = Number(process.env['PARTNER_HISTORIES'] ?? 180)
