import type { Kind } from '../shapes/expected.ts'
import type { TextForm } from '../shapes/facts.ts'

/** What stood at one place of many answers, counted: never a value, unless it is one word where the contract lists the words. */
export interface Shape {
  /** How often something stood here, null included. */
  seen: number
  nulls: number
  kinds: Partial<Record<Kind, number>>
  forms: Partial<Record<TextForm, number>>
  /** Where the contract lists all values: the words that are none of them; '' counts what is no word. */
  strange?: Record<string, number>
  members?: Record<string, Shape>
  /** What stood in lists. */
  item?: Shape
}

/** What the answers of one endpoint looked like. */
export interface AnswerShape {
  /** How many answers there were. */
  answers: number
  /** How many of them were no JSON. */
  unreadable: number
  /** How many were longer than what is looked at. */
  cut: number
  /** Under which member the records stood: '' when the answer itself is the list, `(none)` when there was no list. */
  lists: Record<string, number>
  /** The answer itself; of a list what stands beside the records. */
  answer: Shape
  /** The records of a list. */
  record: Shape
}

/** Answers by the ID of their endpoint. */
export type Shapes = Record<string, AnswerShape>

/** In {@link AnswerShape.lists}: an answer without a list. */
export const NO_LIST = '(none)'

/** The name of members whose own names may be data. */
export const OTHER_MEMBERS = '(other)'

/** A place where nothing stood yet. */
export function newShape(): Shape {
  return { seen: 0, nulls: 0, kinds: {}, forms: {} }
}

/** An endpoint that has not answered yet. */
function newAnswerShape(): AnswerShape {
  return { answers: 0, unreadable: 0, cut: 0, lists: {}, answer: newShape(), record: newShape() }
}

/** Adds what was seen elsewhere. */
export function addShapes(into: Shapes, more: Shapes): void {
  for (const [id, other] of Object.entries(more)) {
    const own = answerShape(into, id)
    own.answers += other.answers
    own.unreadable += other.unreadable
    own.cut += other.cut
    addCounts(own.lists, other.lists)
    addShape(own.answer, other.answer)
    addShape(own.record, other.record)
  }
}

function addShape(into: Shape, more: Shape): void {
  into.seen += more.seen
  into.nulls += more.nulls
  addCounts(into.kinds, more.kinds)
  addCounts(into.forms, more.forms)
  if (more.strange) addCounts(strangeOf(into), more.strange)
  for (const [name, member] of Object.entries(more.members ?? {})) addShape(memberOf(into, name), member)
  if (more.item) addShape(itemOf(into), more.item)
}

/** Adds one to a count. */
export function count(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + by
}

function addCounts(into: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, many] of Object.entries(more)) count(into, name, many)
}

/** What the answers of an endpoint looked like, which begins here when there was none. */
export function answerShape(shapes: Shapes, id: string): AnswerShape {
  shapes[id] ??= newAnswerShape()
  return shapes[id]
}

/** What stood under a member, which begins here when nothing did. */
export function memberOf(shape: Shape, name: string): Shape {
  shape.members ??= {}
  if (!Object.hasOwn(shape.members, name)) shape.members[name] = newShape()
  return shape.members[name] as Shape
}

/** What stood in lists; see {@link memberOf}. */
export function itemOf(shape: Shape): Shape {
  shape.item ??= newShape()
  return shape.item
}

/** The words that are none of those that the contract lists; see {@link memberOf}. */
export function strangeOf(shape: Shape): Record<string, number> {
  shape.strange ??= {}
  return shape.strange
}
