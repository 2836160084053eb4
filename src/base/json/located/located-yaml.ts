import type { LineCounter, Pair } from 'yaml'
import { TooDeepError } from '../parse.ts'
import { readYamlDocuments, type YamlDocuments } from '../yaml-documents.ts'
import { describeSyntaxError } from './syntax-errors.ts'

/** A position in text. Both numbers start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A value from a file, with its position. */
export interface LocatedValue {
  readonly place: Place
  readonly value: null | boolean | number | string | readonly LocatedValue[] | ReadonlyMap<string, Member>
}

export type Member = LocatedValue & { readonly namePlace: Place }

export type Complain = (place: Place, words: string) => void

const START: Place = { line: 1, column: 1 }

/**
 * Reads YAML or JSON and records the position of each value. Rejects aliases, because they can expand without limit. If
 * the text is invalid, reports the problem and returns `null`. Loads the yaml package.
 */
export async function readLocatedYaml(text: string, complain: Complain): Promise<LocatedValue | null> {
  let read: YamlDocuments
  try {
    // The parser's own check for repeated names takes quadratic time, so it is disabled.
    read = await readYamlDocuments(text, false)
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error
    complain(error.place === null ? START : { line: error.place.line, column: error.place.col }, error.message)
    return null
  }
  const { yaml, lines, documents } = read
  const [document, second] = documents
  const faults = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  const reportedLines = new Set<number>()
  for (const { code, message, pos } of faults) {
    const place = placeAt(lines, pos[0])
    // One mistake often causes several errors on the same line. Report only the first one.
    if (!reportedLines.has(place.line)) complain(place, `invalid YAML: ${describeSyntaxError(code, message)}`)
    reportedLines.add(place.line)
  }
  if (second)
    complain(placeAt(lines, second.range?.[0] ?? 0), 'a second document starts here: the file must have only one')
  if (!document) complain(START, 'the file is empty')
  if (!document || faults.length > 0 || second) return null
  const placeOf = (node: unknown, otherwise: Place): Place => {
    const [start] = (yaml.isNode(node) && node.range) || []
    return start === undefined ? otherwise : placeAt(lines, start)
  }
  const convert = (node: unknown, otherwise: Place): LocatedValue => {
    if (!yaml.isNode(node)) return { place: otherwise, value: null }
    const place = placeOf(node, otherwise)
    if (yaml.isAlias(node) || ('anchor' in node && node.anchor !== undefined)) {
      complain(place, 'anchors (&) and aliases (*) are not supported: write the value out')
      return { place, value: null }
    }
    if (yaml.isSeq(node)) return { place, value: node.items.map((item) => convert(item, place)) }
    if (yaml.isMap(node)) return { place, value: membersOf(node.items, place) }
    const { value } = node as { readonly value?: unknown }
    const isPlain = value === null || ['boolean', 'number', 'string'].includes(typeof value)
    return { place, value: isPlain ? (value as LocatedValue['value']) : String(value) }
  }
  const membersOf = (pairs: readonly Pair[], place: Place): ReadonlyMap<string, Member> => {
    const members = new Map<string, Member>()
    for (const { key, value } of pairs) {
      const namePlace = placeOf(key, place)
      if (!yaml.isScalar(key)) complain(namePlace, 'member names must be text')
      else if (members.has(String(key.value))) complain(namePlace, `invalid YAML: ${String(key.value)} is repeated`)
      else members.set(String(key.value), { ...convert(value, namePlace), namePlace })
    }
    return members
  }
  return convert(document.contents, START)
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? START : { line, column: col }
}

/** Returns a value as plain JavaScript data, without positions. */
export function toPlainValue({ value }: LocatedValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, member]) => [name, toPlainValue(member as LocatedValue)]))
  return Array.isArray(value) ? value.map((one: LocatedValue) => toPlainValue(one)) : value
}
