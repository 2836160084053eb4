import type { Expected, ExpectedAnswer } from '../../contract/shapes/expected.ts'
import { DATE_WORDS, type DateDialect, type Dialect, listWords, NO_DIALECT } from '../../shapes/dialect.ts'
import { NO_LIST, type Shapes } from '../../shapes/shape.ts'
import { compareShapes, type Finding } from './compare.ts'
import { onlyDateForm } from './judge.ts'

/** One thing that `drift accept` would have the client follow. */
export interface Correction {
  readonly kind: 'list' | 'date' | 'case'
  /** Where it was seen: endpoints, or the name of a member. */
  readonly where: string
  readonly documented: string
  readonly accepted: string
}

/** What can be accepted of what was seen. */
export interface Corrections {
  readonly dialect: Dialect
  readonly rows: readonly Correction[]
  /** How many contradictions are left that nothing can be done about. */
  readonly left: number
}

/** Finds which contradictions a client can follow: another member for a list, another form of a time, card numbers in lower case. */
export function findCorrections(answers: readonly ExpectedAnswer[], shapes: Shapes): Corrections {
  const contradicted = compareShapes(answers, shapes, NO_DIALECT).filter(({ verdict }) => verdict === 'contradicted')
  const lists = findLists(answers, shapes)
  const dates = findDates(answers, contradicted)
  const cards = contradicted.filter(({ due, shape }) => isOfCards(due) && isLower(shape?.forms ?? {}))
  const dialect: Dialect = {
    lists: Object.fromEntries(lists.map(({ answer, member }) => [answer.id, member])),
    dates: Object.fromEntries(dates),
    cards: cards.length > 0 ? 'lower' : null,
  }
  const rows: Correction[] = [
    ...lists.map(({ answer: { endpoint }, member }): Correction => {
      const documented = listWords(endpoint.list?.member ?? '')
      return { kind: 'list', where: `${endpoint.method} ${endpoint.path}`, documented, accepted: listWords(member) }
    }),
    ...[...dates].map(([member, form]): Correction => {
      const documented = contradicted.find((one) => nameOf(one) === member)?.expected ?? ''
      return { kind: 'date', where: member, documented, accepted: DATE_WORDS[form] }
    }),
  ]
  if (dialect.cards !== null)
    rows.push({ kind: 'case', where: 'card numbers', documented: 'upper case', accepted: 'lower case' })
  const left = compareShapes(answers, shapes, dialect).filter(({ verdict }) => verdict === 'contradicted').length
  return { dialect, rows, left }
}

function findLists(answers: readonly ExpectedAnswer[], shapes: Shapes) {
  return answers.flatMap((answer) => {
    const found = Object.keys(shapes[answer.id]?.lists ?? {})
    const [member] = found
    const isElsewhere = found.length === 1 && member !== undefined && member !== NO_LIST
    return isElsewhere && member !== (answer.endpoint.list?.member ?? '') ? [{ answer, member }] : []
  })
}

/**
 * The forms of times, by the name of their member. A name is followed wherever it comes, so it must be that of an instant in each
 * endpoint, and its times must come in one form.
 */
function findDates(
  answers: readonly ExpectedAnswer[],
  contradicted: readonly Finding[],
): ReadonlyMap<string, DateDialect> {
  const dates = new Map<string, DateDialect>()
  const instants = instantNames(answers)
  for (const [name, findings] of Map.groupBy(contradicted, nameOf)) {
    const forms = new Set(findings.map(({ due, shape }) => (isInstant(due) && shape ? onlyDateForm(shape) : null)))
    const [form] = forms
    if (forms.size === 1 && form && instants.has(name)) dates.set(name, form)
  }
  return dates
}

function instantNames(answers: readonly ExpectedAnswer[]): ReadonlySet<string> {
  const names = new Map<string, boolean>()
  const look = ({ members, item }: Expected) => {
    for (const [name, member] of members ?? []) {
      names.set(name, (names.get(name) ?? true) && isInstant(member))
      look(member)
    }
    if (item) look(item)
  }
  for (const { expected } of answers) look(expected)
  return new Set([...names].flatMap(([name, isSure]) => (isSure ? [name] : [])))
}

/** Whether a time says, by the contract, which instant it is. */
function isInstant(expected: Expected | null): boolean {
  const forms = expected?.form?.assumed ?? expected?.form?.documented
  return forms?.includes('utc') === true && !forms.includes('no-zone')
}

function isOfCards(expected: Expected | null): boolean {
  return expected?.form?.assumed?.includes('card-upper') ?? false
}

function isLower(forms: Readonly<Record<string, number>>): boolean {
  return Object.keys(forms).every((form) => form === 'card-lower' || form === 'card-digits')
}

function nameOf({ member }: Pick<Finding, 'member'>): string {
  return member.slice(member.lastIndexOf('.') + 1).replace(/^.*\]/, '')
}
