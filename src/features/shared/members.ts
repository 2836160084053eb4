import type { Zod } from '../../contract/shapes/schema.ts'

export const textOrNull = (z: Zod) => z.string().nullable()
/** A non-negative whole number. */
export const count = (z: Zod) => z.int().min(0)
export const countOrNull = (z: Zod) => count(z).nullable()
export const instant = (z: Zod) => z.string().describe('ISO 8601 instant, UTC')
export const instantOrNull = (z: Zod) => z.string().nullable().describe('ISO 8601 instant, UTC')
export const status = (z: Zod) => z.int().nullable().describe('HTTP status; null if no response arrived')
