import type { Zod } from '../../contract/shapes/schema.ts'

/** A text, or null. */
export const textOrNull = (z: Zod) => z.string().nullable()

/** A whole number from 0. */
export const count = (z: Zod) => z.int().min(0)

/** A whole number from 0, or null. */
export const countOrNull = (z: Zod) => count(z).nullable()

/** ISO 8601 instant, UTC. */
export const instant = (z: Zod) => z.string().describe('ISO 8601 instant, UTC')

/** ISO 8601 instant, UTC, or null. */
export const instantOrNull = (z: Zod) => z.string().nullable().describe('ISO 8601 instant, UTC')

/** An HTTP status; null: no answer came. */
export const status = (z: Zod) => z.int().nullable().describe('HTTP status; null: no answer came')
