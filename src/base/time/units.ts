export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
/** 24 hours. A calendar day on which the clocks change is usually an hour shorter or longer. */
export const DAY_MS = 86_400_000
