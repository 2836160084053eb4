import { findNearest } from '../../../base/failure/nearest.ts'
import { type Dialect, listWords } from '../../../contract/answers/dialect.ts'
import { type AnswerShape, NO_LIST, type Shape, type Shapes } from '../../../contract/answers/shape.ts'
import type { Expected, ExpectedAnswer } from '../../../contract/shapes/expected.ts'
import type { DriftEntry } from '../output.ts'
import { type Judgement, judge } from './judge.ts'
import { expectedWords, seenWords } from './words.ts'

/** One member of an endpoint's responses, compared with the contract. */
export interface Finding extends Omit<DriftEntry, 'source'> {
  readonly id: string
  /** What the contract expects, or `null` if it does not define the member. */
  readonly expectation: Expected | null
  readonly shape: Shape | null
}

/** The member name for a finding about a whole response. */
export const ANSWER = '(answer)'

/** Compares responses with the contract, taking the service's accepted differences into account. */
export function compareShapes(answers: readonly ExpectedAnswer[], shapes: Shapes, dialect: Dialect): Finding[] {
  return answers.flatMap((answer) => new Comparison(answer, dialect).of(shapes[answer.id]))
}

class Comparison {
  readonly #answer: ExpectedAnswer
  readonly #dialect: Dialect
  readonly #findings: Finding[] = []

  constructor(answer: ExpectedAnswer, dialect: Dialect) {
    this.#answer = answer
    this.#dialect = dialect
  }

  of(shape: AnswerShape | undefined): Finding[] {
    const { endpoint, expected } = this.#answer
    const unaccepted = { basis: expected.standing, accepted: false }
    if (shape === undefined || shape.answers === 0)
      this.#add(ANSWER, { ...unaccepted, verdict: 'not-seen', expected: 'an answer', seen: 'none' })
    else if (shape.unreadable > 0)
      this.#add(ANSWER, { ...unaccepted, verdict: 'contradicted', expected: 'JSON', seen: 'not JSON' })
    else if (endpoint.list) this.#list(shape, endpoint.list.member ?? '')
    else this.#value(ANSWER, expected, shape.answer, shape.answers)
    return this.#findings
  }

  #add(member: string, judgement: Judgement, due: Expected | null = null, shape: Shape | null = null): void {
    const { id, endpoint } = this.#answer
    const name = `${endpoint.method} ${endpoint.path}`
    this.#findings.push({ ...judgement, id, endpoint: name, member, times: shape?.seen ?? 0, expectation: due, shape })
  }

  /** Compares a list: the member that contains the records, the other members and the records themselves. */
  #list(shape: AnswerShape, documented: string): void {
    const { id, expected } = this.#answer
    const accepted = Object.hasOwn(this.#dialect.lists, id) ? this.#dialect.lists[id] : undefined
    const due = accepted ?? documented
    const found = Object.keys(shape.lists)
    const isThere = found.every((member) => member === due)
    this.#add(due === '' ? ANSWER : due, {
      verdict: isThere ? 'confirmed' : 'contradicted',
      basis: expected.standing,
      expected: listWords(due),
      seen: found.map((member) => (member === NO_LIST ? 'no list' : listWords(member))).join(', '),
      accepted: isThere && due !== documented,
    })
    // Skip the other members if a different member contains the list, because the finding about the list covers them.
    if (isThere && due === documented && expected.members) {
      const beside = new Map([...expected.members].filter(([name]) => name !== due))
      this.#members('', beside, without(shape.answer, due))
    }
    const item = documented === '' ? expected.item : (expected.members?.get(documented)?.item ?? null)
    const [at = due] = isThere ? [due] : found.filter((member) => member !== NO_LIST)
    if (item) this.#item(`${at}[]`, item, shape.record)
  }

  #value(path: string, expected: Expected, shape: Shape | undefined, parents: number): void {
    const name = path.slice(path.lastIndexOf('.') + 1)
    this.#add(path, judge(expected, shape, { name, parents, dialect: this.#dialect }), expected, shape ?? null)
    const { members, item } = expected
    const inside = path === ANSWER ? '' : path
    if (members && shape?.kinds.object) this.#members(inside, members, shape)
    if (item && shape?.kinds.list) this.#item(`${inside}[]`, item, shape.item)
  }

  #item(path: string, expected: Expected, shape: Shape | undefined): void {
    const due = { ...expected, always: true }
    if (shape && shape.seen > 0) this.#value(path, due, shape, shape.seen)
    else
      this.#add(path, {
        ...{ verdict: 'not-seen', basis: expected.standing, expected: expectedWords(due) },
        ...{ seen: 'nothing in the list', accepted: false },
      })
  }

  #members(path: string, expected: ReadonlyMap<string, Expected>, shape: Shape): void {
    const parents = shape.kinds.object ?? 0
    const there = shape.members ?? {}
    const at = (name: string) => (path === '' ? name : `${path}.${name}`)
    const renamed = findRenamed(expected, there, parents)
    for (const [name, due] of expected) {
      const other = renamed.get(name)
      if (other === undefined) this.#value(at(name), due, Object.hasOwn(there, name) ? there[name] : undefined, parents)
      else {
        const judgement = judge({ ...due, always: true }, undefined, { name, parents, dialect: this.#dialect })
        this.#add(at(name), { ...judgement, seen: `missing; possibly ${JSON.stringify(other)}` })
      }
    }
    const taken = new Set(renamed.values())
    const verdict = { verdict: 'unknown-member', expected: 'no such member', accepted: false } as const
    const basis = this.#answer.expected.standing
    for (const [name, unknown] of Object.entries(there))
      if (!expected.has(name) && !taken.has(name))
        this.#add(at(name), { ...verdict, basis, seen: seenWords(unknown) }, null, unknown)
  }
}

function without(shape: Shape, name: string): Shape {
  const members = Object.fromEntries(Object.entries(shape.members ?? {}).filter(([other]) => other !== name))
  return { ...shape, members }
}

/**
 * Maps the contract's names of renamed members to their new names. A missing member counts as renamed if it and one
 * unknown member match only each other. To match, the unknown member must always be present and have the expected form.
 * If the missing member is optional, the names must also be similar, unless no other member is missing or unknown.
 */
function findRenamed(expected: ReadonlyMap<string, Expected>, there: Readonly<Record<string, Shape>>, parents: number) {
  const missing = [...expected].filter(([name]) => !Object.hasOwn(there, name))
  const unknown = Object.entries(there).filter(([name, { seen }]) => !expected.has(name) && seen === parents)
  const isAlone = missing.length === 1 && Object.keys(there).filter((name) => !expected.has(name)).length === 1
  const fits = ([name, due]: [string, Expected], [other, shape]: [string, Shape]) =>
    matchesShape(due, shape) && (due.always || isAlone || isSimilar(name, other))
  const renamed = new Map<string, string>()
  for (const one of missing) {
    const [candidate, ...others] = unknown.filter((other) => fits(one, other))
    if (candidate === undefined || others.length > 0) continue
    if (missing.filter((other) => fits(other, candidate)).length === 1) renamed.set(one[0], candidate[0])
  }
  return renamed
}

function matchesShape({ kinds, form, always }: Expected, shape: Shape): boolean {
  const seen = Object.keys(shape.kinds)
  if (seen.length === 0 || (always && shape.nulls > 0)) return false
  if (kinds && !seen.every((kind) => kinds.some((known) => known === kind))) return false
  const allowed = form?.documented ?? form?.assumed
  return !allowed || Object.keys(shape.forms).every((one) => allowed.some((known) => known === one))
}

function isSimilar(name: string, other: string): boolean {
  const [a, b] = [name, other].map((one) => one.toLowerCase().replace(/[^a-z0-9]/g, '')) as [string, string]
  return a.includes(b) || b.includes(a) || findNearest(a, [b]) !== null
}
