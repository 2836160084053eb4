import type * as zod from 'zod'
import { decimal, integer, text } from './scalars.ts'
import type { Zod } from './schema.ts'

/** What a text looks like, without saying what it is. `spaced` times have a space in place of the T. */
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

/** The forms that a text has by the specification, and by what is assumed beyond it; absent: nothing is said. */
export interface FormRule {
  /** In words, after "a". */
  readonly name: string
  readonly documented?: readonly TextForm[]
  readonly assumed?: readonly TextForm[]
}

const FORM_RULES = {
  /** Source: "ISO 8601 UTC timestamp". */
  utc: { name: 'time in UTC', documented: ['utc'] },
  /** Source: "date-time". */
  instant: { name: 'time with a zone', documented: ['utc', 'offset'] },
  /** Source: "ISO 8601 timestamp", which need not have a zone; without one it would be no instant. */
  timestamp: {
    name: 'time with a zone',
    documented: ['utc', 'offset', 'no-zone'],
    assumed: ['utc', 'offset'],
  },
  assumedInstant: { name: 'time with a zone', assumed: ['utc', 'offset'] },
  /** Source: "Booking date-time in venue local time (no zone)". */
  local: { name: 'time without a zone', documented: ['no-zone', 'spaced'], assumed: ['no-zone'] },
  dateTime: { name: 'date-time', documented: ['utc', 'offset', 'no-zone'] },
  /** Source: "Format `XXXXX-XXXXXXXX-XXXX`"; the case is assumed. */
  card: {
    name: 'card number in upper case',
    documented: ['card-upper', 'card-lower', 'card-mixed', 'card-digits'],
    assumed: ['card-upper', 'card-digits'],
  },
  /** Source: "ISO 4217". */
  currency: { name: 'currency code of three capitals', documented: ['three-capitals'] },
} as const satisfies Record<string, FormRule>

/** The name of a {@link FormRule}. */
type RuleName = keyof typeof FORM_RULES

/** What is known of a member beyond its type. A schema carries it as its meta data, and reads leniently all the same. */
export interface MemberFacts {
  /** It is in every object and never null: the specification does not call it nullable. */
  readonly always: boolean
  readonly form: FormRule | null
  /** All values that a text can have; null: any. */
  readonly values: readonly string[] | null
}

/** Reads the facts that a schema carries. */
export function factsOf(schema: zod.core.$ZodType): MemberFacts {
  const meta = (schema as zod.ZodType).meta?.() ?? {}
  const rule = meta['form'] as RuleName | undefined
  return {
    always: meta['always'] === true,
    form: rule === undefined ? null : FORM_RULES[rule],
    values: (meta['values'] as readonly string[] | undefined) ?? null,
  }
}

/** A member that is in every object and never null. It is read leniently all the same. */
export const always = <T extends zod.ZodType>(schema: T): T => schema.meta({ always: true }) as T

/** A text in a form, that may be null or absent. */
export const formed = (z: Zod, form: RuleName) => text(z).meta({ form })

/** A text that is one of these, that may be null or absent; another one is read all the same. */
export const oneOf = (z: Zod, values: readonly string[]) => text(z).meta({ values })

/** A text, an int32 and a number that are never null. */
export const sureText = (z: Zod) => always(text(z))
/** See {@link sureText}. */
export const sureInteger = (z: Zod) => always(integer(z))
/** See {@link sureText}. */
export const sureDecimal = (z: Zod) => always(decimal(z).nullish())
