import type { Document, Node, YAMLSeq } from 'yaml'
import { describeSyntaxError } from '../../../base/json/located/syntax-errors.ts'
import { TooDeepError } from '../../../base/json/parse.ts'
import { readYamlDocuments, type YamlDocuments } from '../../../base/json/yaml-documents.ts'
import type { DesiredSubscription, FilePosition, FileProblem } from '../desired.ts'
import { type Reading, readEntry } from './entry.ts'

/**
 * Reads a list of subscriptions in YAML or JSON. Rejects tags. Also rejects aliases, because they can expand to a huge
 * list. Returns problems in file order. If there are any, `subscriptions` is incomplete.
 */
export async function parseSubscriptions(text: string, isChecked: boolean) {
  let read: YamlDocuments
  try {
    // Disable the parser's check for duplicate members, because it takes quadratic time.
    read = await readYamlDocuments(text, false)
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error
    const { line, col: column } = error.place ?? { line: 1, col: 1 }
    return { subscriptions: [], problems: [{ place: { line, column }, words: error.message }] }
  }
  const { yaml, lines, documents } = read
  const problems: (FileProblem & { readonly offset: number })[] = []
  const positionOf = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset)
    return line === 0 ? { line: 1, column: 1 } : { line, column: col }
  }
  const addProblem = (offset: number, words: string) => void problems.push({ offset, place: positionOf(offset), words })
  const faults = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  const brokenAt = Math.min(...documents.flatMap(({ errors }) => errors.map(({ pos }) => pos[0])))
  const [first, second] = documents
  const content = first?.contents ?? null
  // Entries near a syntax error may be misread. An entry counts as complete if the next entry also starts before the
  // error.
  const readable = (node: Node, next: unknown) =>
    brokenAt === Number.POSITIVE_INFINITY || ((node.range?.[1] ?? 0) < brokenAt && startOf(next, yaml) <= brokenAt)
  const subscriptions: DesiredSubscription[] = []
  if (second) addProblem(second.range[0], 'a second document starts here: the file must contain a single list')
  const reading: Reading = { isChecked, addProblem, positionOf, problems, yaml }
  if (yaml.isSeq(content)) subscriptions.push(...entriesOf(content, reading, readable))
  else if (faults.length === 0) addProblem(content?.range?.[0] ?? 0, wordsOfNoList(content, yaml))
  const reportedLines = new Set<number>()
  for (const { code, message, pos } of faults) {
    const offset = /quote$/.test(message) ? (quoteBefore(pos[0], first, yaml) ?? pos[0]) : pos[0]
    const { line } = positionOf(offset)
    // One mistake often causes several errors on the same line. Report only the first one.
    if (!reportedLines.has(line)) addProblem(offset, describeSyntaxError(code, message))
    reportedLines.add(line)
  }
  return { subscriptions, problems: problems.sort((a, b) => a.offset - b.offset) }
}

function* entriesOf(list: YAMLSeq<unknown>, reading: Reading, readable: (node: Node, next: unknown) => boolean) {
  const { addProblem, positionOf, yaml } = reading
  const seen = new Map<string, FilePosition>()
  const { items } = list
  const start = startOf(list, yaml)
  for (const [at, item] of items.entries()) {
    // In a list with a tag such as !!omap, the entries are pairs instead of nodes.
    if (!yaml.isNode(item)) addProblem(start, 'expected a plain list of subscriptions: - event: …')
    if (!yaml.isNode(item) || !readable(item, items[at + 1])) continue
    const entry = readEntry(item, reading)
    const before = entry.event && seen.get(entry.event.text)
    if (entry.event && before)
      addProblem(entry.event.offset, `${entry.event.text} is repeated: it is already on line ${before.line}`)
    else if (entry.event) seen.set(entry.event.text, positionOf(entry.event.offset))
    if (entry.subscription) yield entry.subscription
  }
}

function startOf(node: unknown, { isNode }: Reading['yaml']): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? Number.POSITIVE_INFINITY
}

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
  if (isMap(content)) return 'expected a list: begin each subscription with "- event: …"'
  if (isAlias(content)) return 'aliases (*) are not allowed: write the value out'
  if (content === null) return 'the file is empty; write [] for an empty list'
  return 'expected a list of subscriptions: - event: …'
}
