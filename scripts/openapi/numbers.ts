import * as z from 'zod'
import { cents, decimal } from '../../src/contract/shapes/scalars.ts'
import type { JsonSchema } from './stated.ts'

/**
 * Returns the JSON Schema for exact numbers, which zod would describe as any value. Returns `{}` for all other schemas.
 */
export function numberOf(schema: z.core.$ZodType): JsonSchema {
  if (schema === decimal(z)) return { type: 'number', description: 'currency units, a decimal number: 12.5 is 12.50' }
  if (schema === cents(z)) return { type: 'integer', description: 'whole cents: 12500 is 125.00' }
  return {}
}
