import type { LineCounter, Node, Pair } from 'yaml'
import { TooDeepError } from '../parse.ts'
import { readYamlDocuments, type YamlDocuments } from '../yaml-documents.ts'

/** A value from a file, with the number of its line. */
export interface LocatedValue {
  readonly line: number
  readonly value: null | boolean | number | string | readonly LocatedValue[] | ReadonlyMap<string, Member>
}

export type Member = LocatedValue & { readonly nameLine: number }

export type Complain = (line: number, words: string) => void

/**
 * Reads YAML or JSON, and keeps the line numbers. Rejects aliases, because they can expand without limit. If the text
 * is invalid, reports the problem and returns `null`. Loads the yaml package.
 */
export async function readLocatedYaml(text: string, complain: Complain): Promise<LocatedValue | null> {
  let read: YamlDocuments
  try {
    read = await readYamlDocuments(text, true)
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error
    complain(error.place?.line ?? 1, error.message)
    return null
  }
  const { yaml, lines, documents } = read
  const [document, second] = documents
  for (const { message, pos } of [...(document?.errors ?? []), ...(document?.warnings ?? [])])
    complain(lineAt(lines, pos[0]), `invalid YAML: ${message.split('\n')[0]}`)
  if (second)
    complain(lineAt(lines, second.range?.[0] ?? 0), 'a second document starts here: the file must have only one')
  if (!document) complain(1, 'the file is empty')
  if (!document || document.errors.length > 0 || second) return null
  const convert = (node: unknown, line: number): LocatedValue => {
    if (!yaml.isNode(node)) return { line, value: null }
    const at = lineOf(node, lines) ?? line
    if (yaml.isAlias(node) || ('anchor' in node && node.anchor !== undefined)) {
      complain(at, 'anchors (&) and aliases (*) are not supported: write the value out')
      return { line: at, value: null }
    }
    if (yaml.isSeq(node)) return { line: at, value: node.items.map((item) => convert(item, at)) }
    if (yaml.isMap(node)) return { line: at, value: new Map(node.items.flatMap((pair) => memberOf(pair, at))) }
    const { value } = node as { readonly value?: unknown }
    const isPlain = value === null || ['boolean', 'number', 'string'].includes(typeof value)
    return { line: at, value: isPlain ? (value as LocatedValue['value']) : String(value) }
  }
  const memberOf = ({ key, value }: Pair, line: number): [string, Member][] => {
    const nameLine = yaml.isNode(key) ? (lineOf(key, lines) ?? line) : line
    if (!yaml.isScalar(key)) {
      complain(nameLine, 'the name of a member must be text')
      return []
    }
    return [[String(key.value), { ...convert(value, nameLine), nameLine }]]
  }
  return convert(document.contents, 1)
}

function lineOf(node: Node, lines: LineCounter): number | null {
  const [start] = node.range ?? []
  return start === undefined ? null : lineAt(lines, start)
}

function lineAt(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line)
}

/** Returns a value as plain JSON, without its line numbers. */
export function toPlainValue({ value }: LocatedValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, member]) => [name, toPlainValue(member as LocatedValue)]))
  return Array.isArray(value) ? value.map((one: LocatedValue) => toPlainValue(one)) : value
}
