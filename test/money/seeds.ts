/** The first seed; each history has the next. `PARTNER_SEED` sets another one. */
export const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)

/** How many histories are played; `PARTNER_HISTORIES` sets another number. */
export const HISTORIES = Number(process.env['PARTNER_HISTORIES'] ?? 180)
