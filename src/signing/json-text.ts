import { parseJson } from '../base/json/parse.ts'
/** A JSON text as it is written, taken apart. */
export interface JsonText {
  /** White space and a byte order mark before it. */
  readonly head: string
  /** The text without what is around it. */
  readonly core: string
  readonly tail: string
  readonly value: JsonNode
}

/** A value: a string or number as it is written, or what is in brackets. */
export type JsonNode = string | { readonly open: '{' | '['; readonly items: readonly JsonItem[] }

/** A member, whose key is as it is written; null in an array. */
export interface JsonItem {
  readonly key: string | null
  readonly value: JsonNode
}

/** How a JSON text is written. */
export interface JsonStyle {
  /** What starts a new line, once for each level; null for a text in one line. */
  readonly indent: string | null
  /** What stands behind commas (in one line) and colons. */
  readonly space: '' | ' '
  readonly sorted: boolean
  /** Writes a string or number, which comes as it was written. */
  readonly scalar: (written: string) => string
}

/** A string, a bracket, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Takes a JSON text apart without changing how anything in it is written; null when it is no JSON, or nested too deep. */
export function takeApart(text: string): JsonText | null {
  const [head = ''] = /^\uFEFF?[\t\n\r ]*/.exec(text) ?? []
  const core = text.slice(head.length).replace(/[\t\n\r ]+$/, '')
  try {
    parseJson(core)
    return {
      head,
      core,
      tail: text.slice(head.length + core.length),
      value: readNode(core.match(TOKEN) ?? [], { at: 0 }),
    }
  } catch {
    return null
  }
}

function readNode(tokens: readonly string[], place: { at: number }): JsonNode {
  const open = tokens[place.at++] ?? ''
  if (open !== '{' && open !== '[') return open
  const items: JsonItem[] = []
  while (tokens[place.at] !== '}' && tokens[place.at] !== ']') {
    if (tokens[place.at] === ',') place.at++
    const key = open === '{' ? (tokens[place.at] ?? '') : null
    if (key !== null) place.at += 2
    items.push({ key, value: readNode(tokens, place) })
  }
  place.at++
  return { open, items }
}

/** Writes a value in a style. */
export function writeJson(node: JsonNode, style: JsonStyle, level = 0): string {
  if (typeof node === 'string') return style.scalar(node)
  const { open, items } = node
  const close = open === '{' ? '}' : ']'
  if (items.length === 0) return open + close
  const { indent, space } = style
  const [before, between, after] =
    indent === null
      ? ['', `,${space}`, '']
      : [`\n${indent.repeat(level + 1)}`, `,\n${indent.repeat(level + 1)}`, `\n${indent.repeat(level)}`]
  const written = (style.sorted && open === '{' ? sortMembers(items) : items).map(({ key, value }) => {
    const text = writeJson(value, style, level + 1)
    return key === null ? text : `${style.scalar(key)}:${space}${text}`
  })
  return open + before + written.join(between) + after + close
}

/** Writes the strings and numbers of a text in another way, and leaves everything else where it is. */
export function rewriteScalars(core: string, scalar: JsonStyle['scalar']): string {
  return core.replace(TOKEN, (token) => (/^[{}[\],:]$/.test(token) ? token : scalar(token)))
}

function sortMembers(items: readonly JsonItem[]): JsonItem[] {
  const named = items.map((item) => ({ item, name: String(parseJson(item.key ?? '""')) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ item }) => item)
}
