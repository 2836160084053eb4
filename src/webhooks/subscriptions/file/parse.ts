import type { Document, LineCounter, Node, YAMLSeq } from 'yaml'
import { TooDeepError } from '../../../base/json/parse.ts'
import { readYamlDocuments, type YamlDocuments } from '../../../base/json/yaml-documents.ts'
import type { FileProblem, Place, Wanted, WantedFile } from '../wanted.ts'
import { readEntry } from './entry.ts'
import type { Reading } from './reading.ts'
import { syntaxWords } from './syntax-words.ts'

/**
 * Reads a list of subscriptions in YAML, of which JSON is a part. Nothing that is read becomes anything but text: no tags, no
 * aliases, so that no file can grow. Loads yaml.
 */
export async function parseWanted(text: string, isChecked: boolean): Promise<WantedFile> {
  let read: YamlDocuments
  try {
    // The parser's own search for members that come twice takes the square of their number.
    read = await readYamlDocuments(text, false)
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error
    const { line, col: column } = error.place ?? { line: 1, col: 1 }
    return { wanted: [], problems: [{ place: { line, column }, words: error.message }] }
  }
  const { yaml, lines, documents } = read
  const problems: (FileProblem & { readonly offset: number })[] = []
  const placeOf = (offset: number) => placeIn(lines, offset)
  const complain = (offset: number, words: string) => void problems.push({ offset, place: placeOf(offset), words })
  const faults = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  const brokenAt = Math.min(...documents.flatMap(({ errors }) => errors.map(({ pos }) => pos[0])))
  const [first, second] = documents
  const content = first?.contents ?? null
  // Around a mistake in the syntax, an entry may be another than it seems; before it, those are whole that another one follows.
  const readable = (node: Node, next: unknown) =>
    brokenAt === Number.POSITIVE_INFINITY || ((node.range?.[1] ?? 0) < brokenAt && startOf(next, yaml) <= brokenAt)
  const wanted: Wanted[] = []
  if (second) complain(second.range[0], 'a second document begins: the file must hold one list')
  const reading: Reading = { isChecked, complain, placeOf, yaml }
  if (yaml.isSeq(content)) wanted.push(...entriesOf(content, reading, readable))
  else if (faults.length === 0) complain(content?.range?.[0] ?? 0, wordsOfNoList(content, yaml))
  const told = new Set<number>()
  for (const { code, message, pos } of faults) {
    const offset = /quote$/.test(message) ? (quoteBefore(pos[0], first, yaml) ?? pos[0]) : pos[0]
    const { line } = placeOf(offset)
    // One mistake makes others behind it.
    if (!told.has(line)) complain(offset, syntaxWords(code, message))
    told.add(line)
  }
  return { wanted, problems: problems.sort((a, b) => a.offset - b.offset) }
}

function* entriesOf(
  list: YAMLSeq<unknown>,
  reading: Reading,
  readable: (node: Node, next: unknown) => boolean,
): Generator<Wanted> {
  const { complain, placeOf, yaml } = reading
  const seen = new Map<string, Place>()
  const { items } = list
  const start = startOf(list, yaml)
  for (const [at, item] of items.entries()) {
    // Tags such as !!omap make something else of an entry.
    if (!yaml.isNode(item)) complain(start, 'this must be a plain list of subscriptions: - event: …')
    if (!yaml.isNode(item) || !readable(item, items[at + 1])) continue
    const entry = readEntry(item, reading)
    const before = entry.event && seen.get(entry.event.text)
    if (entry.event && before)
      complain(entry.event.offset, `${entry.event.text} stands here again: it is in line ${before.line} already`)
    else if (entry.event) seen.set(entry.event.text, placeOf(entry.event.offset))
    if (entry.wanted) yield entry.wanted
  }
}

function startOf(node: unknown, { isNode }: Reading['yaml']): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? Number.POSITIVE_INFINITY
}

/** Where the text begins whose quote is missed at its end, which may be that of the file. */
function quoteBefore(end: number, document: Document | undefined, { visit }: Reading['yaml']): number | null {
  let start: number | null = null
  if (document)
    visit(document, {
      Scalar: (_, { range }) => {
        if (range?.[1] === end) start = range[0]
      },
    })
  return start
}

function wordsOfNoList(content: unknown, { isMap, isAlias }: Reading['yaml']): string {
  if (isMap(content)) return 'this must be a list: begin each subscription with "- event: …"'
  if (isAlias(content)) return 'an alias (*) is not taken: write it out'
  return content === null ? EMPTY : 'this must be a list of subscriptions: - event: …'
}

const EMPTY = 'the file is empty; a list without subscriptions is written []'

function placeIn(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? { line: 1, column: 1 } : { line, column: col }
}
