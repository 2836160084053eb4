import { DATE_WORDS, type DateDialect, type Dialect, listWords, NO_DIALECT } from '../../../contract/answers/dialect.ts'
import { NO_LIST, OTHER_MEMBERS, type Shapes } from '../../../contract/answers/shape.ts'
import type { Expected, ExpectedAnswer } from '../../../contract/shapes/expected.ts'
import type { Correction } from '../output.ts'
import { compareShapes, type Finding } from './compare.ts'
import { isOfCards, onlyDateForm } from './judge.ts'

export interface Corrections {
  readonly dialect: Dialect
  readonly rows: readonly Correction[]
  /** How many contradictions cannot be followed. */
  readonly left: number
}

/**
 * Finds the contradictions that a client can follow: another member for a list, another form of a time, card numbers in lower case.
 * Differences that are followed already and were not seen this time stay.
 */
export function findCorrections(
  answers: readonly ExpectedAnswer[],
  shapes: Shapes,
  kept: Dialect = NO_DIALECT,
): Corrections {
  const findings = compareShapes(answers, shapes, NO_DIALECT)
  const contradicted = findings.filter(({ verdict }) => verdict === 'contradicted')
  const isUnseen = (which: (finding: Finding) => boolean) =>
    !findings.some((finding) => finding.verdict !== 'not-seen' && finding.shape !== null && which(finding))
  const unseenDates = Object.entries(kept.dates).filter(([name]) => isUnseen((one) => nameOf(one) === name))
  const unseenLists = Object.entries(kept.lists).filter(([id]) => Object.keys(shapes[id]?.lists ?? {}).length === 0)
  const isLowerSeen = contradicted.some(({ due, shape }) => isOfCards(due) && isLower(shape?.forms ?? {}))
  const isLowerKept = kept.cards === 'lower' && isUnseen(({ due }) => isOfCards(due))
  const dialect: Dialect = {
    lists: Object.fromEntries([...unseenLists, ...findLists(answers, shapes)]),
    dates: Object.fromEntries([...unseenDates, ...findDates(answers, contradicted)]),
    cards: isLowerSeen || isLowerKept ? 'lower' : null,
  }
  const left = compareShapes(answers, shapes, dialect).filter(({ verdict }) => verdict === 'contradicted').length
  return { dialect, rows: toRows(dialect, answers), left }
}

function toRows({ lists, dates, cards }: Dialect, answers: readonly ExpectedAnswer[]): Correction[] {
  const rows: Correction[] = []
  for (const { id, endpoint } of answers) {
    const member = Object.hasOwn(lists, id) ? lists[id] : undefined
    if (member === undefined) continue
    const documented = listWords(endpoint.list?.member ?? '')
    rows.push({ kind: 'list', where: `${endpoint.method} ${endpoint.path}`, documented, accepted: listWords(member) })
  }
  for (const [member, form] of Object.entries(dates))
    rows.push({ kind: 'date', where: member, documented: 'time with a zone', accepted: DATE_WORDS[form] })
  if (cards !== null)
    rows.push({ kind: 'case', where: 'card numbers', documented: 'upper case', accepted: 'lower case' })
  return rows
}

/** The members that contain the records of lists, by endpoint, where they differ from the contract. */
function findLists(answers: readonly ExpectedAnswer[], shapes: Shapes): [id: string, member: string][] {
  return answers.flatMap(({ id, endpoint }): [string, string][] => {
    const found = Object.keys(shapes[id]?.lists ?? {})
    const [member] = found
    const isOne = found.length === 1 && member !== undefined && member !== NO_LIST && member !== OTHER_MEMBERS
    return isOne && member !== (endpoint.list?.member ?? '') ? [[id, member]] : []
  })
}

/** Forms of times, by member. A name applies everywhere, so it must be an instant in each endpoint, and always of one form. */
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

/** Whether the contract says that a time includes its zone. */
function isInstant(expected: Expected | null): boolean {
  const forms = expected?.form?.assumed ?? expected?.form?.documented
  return forms?.includes('utc') === true && !forms.includes('no-zone')
}

function isLower(forms: Readonly<Record<string, number>>): boolean {
  return Object.keys(forms).every((form) => form === 'card-lower' || form === 'card-digits')
}

function nameOf({ member }: Pick<Finding, 'member'>): string {
  return member.slice(member.lastIndexOf('.') + 1).replace(/^.*\]/, '')
}
