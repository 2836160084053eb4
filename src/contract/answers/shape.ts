import type { Kind } from '../shapes/expected.ts'
import type { TextForm } from '../shapes/facts.ts'

/** Counts of what many answers have at one place. Never contains values, except words that the contract may list. */
export interface Shape {
  /** The number of values, including null. */
  seen: number
  nulls: number
  kinds: Partial<Record<Kind, number>>
  forms: Partial<Record<TextForm, number>>
  /** Where the contract lists all words: other words; '' counts texts that are not a word. */
  strange?: Record<string, number>
  members?: Record<string, Shape>
  item?: Shape
}

/** The shape of the answers of one endpoint. */
export interface AnswerShape {
  answers: number
  /** Answers that are not JSON. */
  unreadable: number
  /** Answers that exceeded the limit. */
  cut: number
  /** Counts by the member with the records: '' for the answer itself, `(none)` without a list. */
  lists: Record<string, number>
  /** The answer; for lists without the records. */
  answer: Shape
  record: Shape
}

/** Shapes by endpoint ID. */
export type Shapes = Record<string, AnswerShape>

/** A key of {@link AnswerShape.lists} for an answer without a list. */
export const NO_LIST = '(none)'

/** Counts members whose names may be data. */
export const OTHER_MEMBERS = '(other)'

export function newShape(): Shape {
  return { seen: 0, nulls: 0, kinds: {}, forms: {} }
}

/** Adds shapes that were recorded elsewhere. */
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

export function count(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + by
}

function addCounts(into: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, many] of Object.entries(more)) count(into, name, many)
}

/** The shape of an endpoint's answers; added if missing. */
export function answerShape(shapes: Shapes, id: string): AnswerShape {
  shapes[id] ??= { answers: 0, unreadable: 0, cut: 0, lists: {}, answer: newShape(), record: newShape() }
  return shapes[id]
}

/** The shape of a member; added if missing. */
export function memberOf(shape: Shape, name: string): Shape {
  shape.members ??= {}
  if (!Object.hasOwn(shape.members, name)) shape.members[name] = newShape()
  return shape.members[name] as Shape
}

/** The shape of list items; added if missing. */
export function itemOf(shape: Shape): Shape {
  shape.item ??= newShape()
  return shape.item
}

/** The counts of unknown words; added if missing. */
export function strangeOf(shape: Shape): Record<string, number> {
  shape.strange ??= {}
  return shape.strange
}
