export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
/** 24 hours in milliseconds. A calendar day on which the clocks change is usually one hour shorter or longer. */
export const DAY_MS = 86_400_000
/** The maximum delay of a Node timer. With a longer delay, the timer fires immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1
