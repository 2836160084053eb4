import { numberText } from '../../base/json/exact.ts'
import { type Schema, schema, type Zod } from './schema.ts'

/**
 * Matches a card number: letters and digits in the form `XXXXX-XXXXXXXX-XXXX`. Source: "Gift card"; the alphabet is
 * assumed.
 */
export const CARD_NUMBER_PATTERN = /^[A-Z0-9]{5}-[A-Z0-9]{8}-[A-Z0-9]{4}$/

/**
 * Converts only a–z to upper case. `toUpperCase` would also turn `ı` into `I` and `ſ` into `S`, and so change a mistyped
 * card number into the number of another card.
 */
export function toAsciiUpperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** Matches an ID that is safe as a path segment, because it contains no slash and is neither `.` nor `..`. */
export const PATH_ID_PATTERN = /^(?!\.+$)[A-Za-z0-9._:~-]{1,128}$/

/** The largest 32-bit integer. Source: "Limits". */
export const MAX_INT32 = 2_147_483_647

export const cardNumber = schema((z) => z.string().regex(CARD_NUMBER_PATTERN, 'must look like XXXXX-XXXXXXXX-XXXX'))

/** A JSON number that keeps all of its digits, such as a price in currency units. Read it with `numberText`. */
export const decimal = schema((z) =>
  z
    .custom<number>((value) => numberText(value) !== null, { error: 'must be a number' })
    .describe('decimal number; all digits are kept'),
)

/** An amount in integer cents. Keeps all of its digits, like `decimal`. */
export const cents = schema((z) =>
  z
    .custom<number>((value) => /^-?\d+$/.test(numberText(value) ?? ''), {
      error: 'must be whole cents: 12500 is 125.00',
    })
    .describe('integer cents'),
)

/** A time in a query, in the form `yyyy-MM-ddTHH:mm:ss.fffZ`. */
export const queryInstant = schema((z) =>
  z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must look like yyyy-MM-ddTHH:mm:ss.fffZ'),
)

/** A URL that the service can send webhook events to. */
export const webhookUrl = schema((z) =>
  z
    .string()
    .min(1)
    .regex(/^https?:\/\//, 'must be an http or https URL'),
)

/** Any JSON value. Used where the specification does not define the format. */
export const anything = schema((z) => z.unknown())

/** A string that may be `null` or absent. */
export const text = (z: Zod) => z.string().nullish()

/** An int32 that may be `null` or absent. */
export const integer = (z: Zod) => z.int().nullish()

/** A response that is itself a list. */
export const listOf = <S extends Schema>(item: S) => schema((z) => z.array(item(z)))
