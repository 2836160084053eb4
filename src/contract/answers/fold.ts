import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { Expected, ExpectedAnswer } from '../shapes/expected.ts'
import { LIST_MEMBERS } from '../shapes/pages.ts'
import { formOf, kindOf } from './classify.ts'
import type { Sample } from './sample.ts'
import type { AnswerShape, Shape, Shapes } from './shape.ts'
import { count, getAnswerShape, itemOf, memberOf, NO_LIST, OTHER_MEMBERS, unknownWordsOf } from './shape.ts'

/** The maximum number of records to examine per response. */
export const MOST_RECORDS = 200
/** The maximum number of unknown members (per object) and unknown words (per member) to count separately. */
const MOST_STRANGE = 50
/** Matches a code word such as `ACTIVE`, as opposed to a sentence, a name with a space, or an address. */
const MACHINE_WORD = /^[A-Za-z0-9_]{1,40}$/
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_]{0,63}$/

/**
 * Adds a response to the recorded format of its endpoint. Examines at most the first {@link MOST_RECORDS} records of a
 * list.
 */
export function foldAnswer(shapes: Shapes, { id, endpoint, expected }: ExpectedAnswer, sample: Sample | null): void {
  const shape = getAnswerShape(shapes, id)
  shape.answers++
  if (sample === null) {
    shape.unreadable++
    return
  }
  // Do not count a failure that is reported with status 200, because it does not have the format of a success.
  if (isJsonObject(sample.value) && sample.value['isSuccess'] === false) {
    shape.answers--
    return
  }
  if (sample.isCut) shape.cut++
  if (endpoint.list) foldList(shape, endpoint.list.member, expected, sample)
  else fold(shape.answer, expected, sample.value)
}

function foldList(
  shape: AnswerShape,
  expectedMember: string | null,
  expected: Expected,
  { value, isCut }: Sample,
): void {
  const name = findList(value, expectedMember)
  count(shape.lists, name === null ? NO_LIST : nameOf(name))
  // In a truncated response, the members after the list may be missing, so members are not counted.
  if (!isCut || !isJsonObject(value)) foldBeside(shape.answer, expected, value, name)
  const item = expectedMember === null ? expected.item : (expected.members?.get(expectedMember)?.item ?? null)
  for (const record of recordsIn(value, expectedMember).slice(0, MOST_RECORDS)) fold(shape.record, item, record)
}

/** Returns the records in a list response, whichever member contains them. */
export function recordsIn(value: JsonValue, expectedMember: string | null): readonly JsonValue[] {
  const name = findList(value, expectedMember)
  const list = name === '' ? value : name !== null && isJsonObject(value) ? value[name] : null
  return Array.isArray(list) ? list : []
}

/**
 * Returns the name of the member with the records, '' if the response itself is the list, or `null` if there is no
 * list.
 */
function findList(value: JsonValue, expectedMember: string | null): string | null {
  if (Array.isArray(value)) return ''
  if (!isJsonObject(value)) return null
  const isList = (name: string) => Object.hasOwn(value, name) && Array.isArray(value[name])
  const known = [expectedMember ?? [], LIST_MEMBERS].flat().find(isList)
  if (known !== undefined) return known
  const lists = Object.keys(value).filter(isList)
  return lists.length === 1 ? (lists[0] ?? null) : null
}

function foldBeside(shape: Shape, expected: Expected, value: JsonValue, list: string | null): void {
  const beside = isJsonObject(value) && list !== null ? { ...value, [list]: [] } : list === '' ? [] : value
  fold(shape, expected, beside)
}

/** Adds a value to a shape's counts. Does not descend into unexpected values. */
function fold(shape: Shape, expected: Expected | null, value: JsonValue): void {
  shape.seen++
  const kind = kindOf(value)
  if (kind === null) {
    shape.nulls++
    return
  }
  count(shape.kinds, kind)
  const form = formOf(value)
  if (form !== null) count(shape.forms, form)
  if (expected === null) return
  if (expected.values && typeof value === 'string' && !expected.values.includes(value))
    countSome(unknownWordsOf(shape), MACHINE_WORD.test(value) ? value : '')
  if (isJsonObject(value) && expected.members) foldMembers(shape, expected.members, value)
  else if (Array.isArray(value) && expected.item)
    for (const one of value.slice(0, MOST_RECORDS)) fold(itemOf(shape), expected.item, one)
}

function foldMembers(shape: Shape, expected: ReadonlyMap<string, Expected>, value: JsonObject): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const known = expected.get(name)
    if (known) fold(memberOf(shape, name), known, member)
    else {
      const own = nameOf(name)
      const names = shape.members ?? {}
      const isRoom = Object.hasOwn(names, own) || Object.keys(names).length < expected.size + MOST_STRANGE
      fold(memberOf(shape, isRoom ? own : OTHER_MEMBERS), null, member)
    }
  }
}

/**
 * Returns the name of an unexpected member. If the name looks like data, such as the key of a map, returns {@link
 * OTHER_MEMBERS}.
 */
function nameOf(name: string): string {
  if (name === '') return ''
  const digits = name.replace(/\D/g, '').length
  return IDENTIFIER.test(name) && name !== '__proto__' && digits * 2 <= name.length ? name : OTHER_MEMBERS
}

function countSome(counts: Record<string, number>, word: string): void {
  const isRoom = Object.hasOwn(counts, word) || Object.keys(counts).length < MOST_STRANGE
  count(counts, isRoom ? word : '')
}
