import type { Kind } from '../shapes/expected.ts'
import type { TextForm } from '../shapes/facts.ts'

/**
 * Counts the kinds and forms of the values at one position in many responses. Stores no values, except for code words
 * in positions where the contract lists all allowed words.
 */
export interface Shape {
  /** The number of values that were seen, including `null`. */
  seen: number
  nulls: number
  kinds: Partial<Record<Kind, number>>
  forms: Partial<Record<TextForm, number>>
  /**
   * Counts the words that are not in the contract's list of allowed words. Absent if the contract has no such list. The
   * key '' counts strings that are not a single word.
   */
  strange?: Record<string, number>
  members?: Record<string, Shape>
  item?: Shape
}

/** The recorded format of one endpoint's responses. */
export interface AnswerShape {
  answers: number
  /** The number of responses that are not JSON. */
  unreadable: number
  /** The number of responses that were truncated because they exceeded the size limit. */
  cut: number
  /**
   * Counts how often each member contained the records. The key is '' if the response itself is the list, and `(none)`
   * if the response has no list.
   */
  lists: Record<string, number>
  /** The format of the response, excluding the records of a list. */
  answer: Shape
  /** The format of the records in a list. */
  record: Shape
}

/** The recorded response formats, by endpoint ID. */
export type Shapes = Record<string, AnswerShape>

/** The key in {@link AnswerShape.lists} that counts responses without a list. */
export const NO_LIST = '(none)'

/** The replacement for the names of members beyond the limit, and for names that look like data. */
export const OTHER_MEMBERS = '(other)'

export function newShape(): Shape {
  return { seen: 0, nulls: 0, kinds: {}, forms: {} }
}

/** Adds the counts in `more` to those in `into`. */
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

/** Returns the recorded format of an endpoint's responses, creating it if necessary. */
export function getAnswerShape(shapes: Shapes, id: string): AnswerShape {
  shapes[id] ??= { answers: 0, unreadable: 0, cut: 0, lists: {}, answer: newShape(), record: newShape() }
  return shapes[id]
}

/** Returns the recorded format of a member, creating it if necessary. */
export function memberOf(shape: Shape, name: string): Shape {
  shape.members ??= {}
  if (!Object.hasOwn(shape.members, name)) shape.members[name] = newShape()
  return shape.members[name] as Shape
}

/** Returns the recorded format of a list's items, creating it if necessary. */
export function itemOf(shape: Shape): Shape {
  shape.item ??= newShape()
  return shape.item
}

/** Returns the counts of unknown words, creating them if necessary. */
export function unknownWordsOf(shape: Shape): Record<string, number> {
  shape.strange ??= {}
  return shape.strange
}
