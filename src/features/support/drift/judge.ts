import { DATE_DIALECTS, type DateDialect, type Dialect } from '../../../contract/answers/dialect.ts'
import type { Shape } from '../../../contract/answers/shape.ts'
import type { Expected } from '../../../contract/shapes/expected.ts'
import type { TextForm } from '../../../contract/shapes/facts.ts'
import type { DriftEntry } from '../output.ts'
import { expectedWords, formWords, seenWords, shareSuffix, unlistedWords } from './words.ts'

/** The result of comparing one member with the contract. */
export type Judgement = Pick<DriftEntry, 'verdict' | 'basis' | 'expected' | 'seen' | 'accepted'>

/**
 * A member's name, the number of objects that could contain the member, and the differences accepted for the service.
 */
type MemberContext = { readonly name: string; readonly parents: number; readonly dialect: Dialect }

/** Compares a member with the contract. Does not compare the members inside it. */
export function judge(expected: Expected, shape: Shape | undefined, at: MemberContext): Judgement {
  const make = (verdict: DriftEntry['verdict'], seen: string, more: Partial<Judgement> = {}): Judgement => ({
    ...{ verdict, basis: expected.standing, expected: expectedWords(expected), seen, accepted: false },
    ...more,
  })
  if (shape === undefined || shape.seen === 0)
    return expected.always ? make('contradicted', 'missing') : make('not-seen', 'absent')
  const missing = at.parents - shape.seen
  if (expected.always && missing > 0) return make('contradicted', `missing${shareSuffix(missing, at.parents)}`)
  if (expected.always && shape.nulls > 0) return make('contradicted', `null${shareSuffix(shape.nulls, shape.seen)}`)
  const isAccepted = isAcceptedDate(shape, at)
  if (!isAccepted && hasOtherKind(expected, shape)) return make('contradicted', seenWords(shape))
  if (shape.nulls === shape.seen) return make('not-seen', 'null')
  if (shape.strange) return make('contradicted', unlistedWords(shape.strange))
  const wrong = isAccepted ? null : wrongForms(expected, shape, at.dialect)
  if (wrong) return make('contradicted', formWords(shape.forms, wrong.forms), { basis: wrong.basis })
  const forms = Object.keys(shape.forms) as TextForm[]
  const seen = expected.form && forms.length > 0 ? formWords(shape.forms, forms) : seenWords(shape)
  const isLower = at.dialect.cards === 'lower' && isCardNumber(expected) && (shape.forms['card-lower'] ?? 0) > 0
  return make('confirmed', seen, { accepted: isAccepted || isLower })
}

function hasOtherKind({ kinds }: Expected, shape: Shape): boolean {
  if (kinds === null) return false
  return Object.keys(shape.kinds).some((kind) => !kinds.some((known) => known === kind))
}

/** Returns whether all of a member's times have the accepted format. */
function isAcceptedDate(shape: Shape, { name, dialect }: MemberContext): boolean {
  const form = Object.hasOwn(dialect.dates, name) ? dialect.dates[name] : undefined
  return form !== undefined && onlyDateForm(shape) === form
}

/**
 * Returns the format that all times of a member share. Returns `null` if they have several formats or if the format
 * cannot be accepted.
 */
export function onlyDateForm(shape: Shape): DateDialect | null {
  const [form, ...others] = Object.keys(shape.forms).filter((one) => one !== 'empty')
  const values = shape.seen - shape.nulls
  const counted = Object.values(shape.forms).reduce((sum, many) => sum + many, 0)
  if (others.length > 0 || counted !== values) return null
  return DATE_DIALECTS.find((known) => known === form) ?? null
}

/** Returns whether the contract expects a card number. */
export function isCardNumber(expected: Expected | null): boolean {
  return expected?.form?.assumed?.includes('card-upper') ?? false
}

/**
 * Returns the forms that contradict the contract, and whether they contradict documented facts or only assumptions.
 * Returns `null` if no form contradicts the contract.
 */
function wrongForms(expected: Expected, { forms }: Shape, { cards }: Dialect) {
  const { form, always, standing } = expected
  if (form === null) return null
  const seen = (Object.keys(forms) as TextForm[]).filter((one) => always || one !== 'empty')
  const assumed = cards === 'lower' && isCardNumber(expected) ? (['card-lower', 'card-digits'] as const) : form.assumed
  for (const [basis, allowed] of [
    [standing, form.documented],
    ['assumed', assumed],
  ] as const) {
    const wrong = allowed ? seen.filter((one) => !allowed.some((known) => known === one)) : []
    if (wrong.length > 0) return { basis, forms: wrong }
  }
  return null
}
