import type * as zod from 'zod'
import { decimal, integer, text } from './scalars.ts'
import type { Zod } from './schema.ts'

/**
 * The forms that a string can have, such as a time in UTC. A form does not reveal the string itself. `spaced` is a time
 * with a space instead of the T.
 */
export const TEXT_FORMS = [
  'utc',
  'offset',
  'no-zone',
  'spaced',
  'date',
  'json-date',
  'epoch-ms',
  'epoch-s',
  'card-upper',
  'card-lower',
  'card-mixed',
  'card-digits',
  'three-capitals',
  'hex',
  'empty',
  'other',
] as const
export type TextForm = (typeof TEXT_FORMS)[number]

/**
 * The allowed forms of a string. `documented` lists the forms in the specification, and `assumed` lists the forms that
 * the service is assumed to use. If both are absent, any form is allowed.
 */
export interface FormRule {
  /** The name of the form as shown in messages, without an article. */
  readonly name: string
  readonly documented?: readonly TextForm[]
  readonly assumed?: readonly TextForm[]
}

const FORM_RULES = {
  /** Source: "ISO 8601 UTC timestamp". */
  utc: { name: 'time in UTC', documented: ['utc'] },
  /** Source: "date-time". */
  instant: { name: 'time with a zone', documented: ['utc', 'offset'] },
  /** Source: "ISO 8601 timestamp". A zone is assumed, because a timestamp without one would not identify an instant. */
  timestamp: { name: 'time with a zone', documented: ['utc', 'offset', 'no-zone'], assumed: ['utc', 'offset'] },
  assumedInstant: { name: 'time with a zone', assumed: ['utc', 'offset'] },
  /** Source: "Booking date-time in venue local time (no zone)". */
  local: { name: 'time without a zone', documented: ['no-zone', 'spaced'], assumed: ['no-zone'] },
  dateTime: { name: 'date-time', documented: ['utc', 'offset', 'no-zone'] },
  /** Source: "Format `XXXXX-XXXXXXXX-XXXX`". The case is assumed. */
  card: {
    name: 'card number in upper case',
    documented: ['card-upper', 'card-lower', 'card-mixed', 'card-digits'],
    assumed: ['card-upper', 'card-digits'],
  },
  /** Source: "ISO 4217". */
  currency: { name: 'currency code of three capital letters', documented: ['three-capitals'] },
} as const satisfies Record<string, FormRule>

type RuleName = keyof typeof FORM_RULES

/** The rules for a member apart from its type. The schema stores them as metadata and does not enforce them. */
export interface MemberFacts {
  /**
   * Whether the member must be present and not `null`. True for members that the specification does not call nullable.
   */
  readonly always: boolean
  readonly form: FormRule | null
  /** All allowed values of a string; `null` if any value is allowed. */
  readonly values: readonly string[] | null
}

export function factsOf(schema: zod.core.$ZodType): MemberFacts {
  const meta = (schema as zod.ZodType).meta?.() ?? {}
  const rule = meta['form'] as RuleName | undefined
  return {
    always: meta['always'] === true,
    form: rule === undefined ? null : FORM_RULES[rule],
    values: (meta['values'] as readonly string[] | undefined) ?? null,
  }
}

/** Marks a member as always present and never `null`. The schema still accepts objects without the member. */
export const always = <T extends zod.ZodType>(schema: T): T => schema.meta({ always: true }) as T

/** A string in a given form. It may be `null` or absent. */
export const formed = (z: Zod, form: RuleName) => text(z).meta({ form })

/** One of `values`, `null` or absent. The schema also accepts other strings. */
export const oneOf = (z: Zod, values: readonly string[]) => text(z).meta({ values })

/** A string that is always present and never `null`. */
export const sureText = (z: Zod) => always(text(z))
export const sureInteger = (z: Zod) => always(integer(z))
export const sureDecimal = (z: Zod) => always(decimal(z).nullish())
