import type { Kind } from '../shapes/expected.ts'
import type { TextForm } from '../shapes/facts.ts'

/**
 * Counts the kinds and forms of the values that many responses have at one position. Never contains the values
 * themselves, except for code words at positions for which the contract lists all words.
 */
export interface Shape {
  /** The number of values, including `null`. */
  seen: number
  nulls: number
  kinds: Partial<Record<Kind, number>>
  forms: Partial<Record<TextForm, number>>
  /** Counts of words that the contract does not list, if it lists all words. '' counts texts that are not one word. */
  strange?: Record<string, number>
  members?: Record<string, Shape>
  item?: Shape
}

/** The shape of the responses of one endpoint. */
export interface AnswerShape {
  answers: number
  /** The number of responses that are not JSON. */
  unreadable: number
  /** The number of responses that exceeded the size limit. */
  cut: number
  /**
   * Counts by the member that contains the records: '' for the response itself, `(none)` if the response has no list.
   */
  lists: Record<string, number>
  /** The shape of the response, without the records of a list. */
  answer: Shape
  /** The shape of the records of a list. */
  record: Shape
}

/** Shapes by endpoint ID. */
export type Shapes = Record<string, AnswerShape>

/** The key in {@link AnswerShape.lists} that counts responses without a list. */
export const NO_LIST = '(none)'

/** The name under which members are counted whose own names may be data. */
export const OTHER_MEMBERS = '(other)'

export function newShape(): Shape {
  return { seen: 0, nulls: 0, kinds: {}, forms: {} }
}

/** Adds the counts of other shapes to `into`. */
export function addShapes(into: Shapes, more: Shapes): void {
  for (const [id, other] of Object.entries(more)) {
    const own = getAnswerShape(into, id)
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
  if (more.strange) addCounts(unknownWordsOf(into), more.strange)
  for (const [name, member] of Object.entries(more.members ?? {})) addShape(memberOf(into, name), member)
  if (more.item) addShape(itemOf(into), more.item)
}

export function count(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + by
}

function addCounts(into: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, many] of Object.entries(more)) count(into, name, many)
}

/** Returns the shape of an endpoint's responses, adding it if missing. */
export function getAnswerShape(shapes: Shapes, id: string): AnswerShape {
  shapes[id] ??= { answers: 0, unreadable: 0, cut: 0, lists: {}, answer: newShape(), record: newShape() }
  return shapes[id]
}

/** Returns the shape of a member, adding it if missing. */
export function memberOf(shape: Shape, name: string): Shape {
  shape.members ??= {}
  if (!Object.hasOwn(shape.members, name)) shape.members[name] = newShape()
  return shape.members[name] as Shape
}

/** Returns the shape of the items of a list, adding it if missing. */
export function itemOf(shape: Shape): Shape {
  shape.item ??= newShape()
  return shape.item
}

/** Returns the counts of unknown words, creating them if missing. */
export function unknownWordsOf(shape: Shape): Record<string, number> {
  shape.strange ??= {}
  return shape.strange
}
