const SPACE = /[ \t\r\n]*/y
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\0-\x1f]+|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The first characters of all values. */
const VALUE = '{["-0123456789tfn'

/** Finds where a text stops being JSON, `line 2, column 13`: an error of `JSON.parse` does not always say. */
export function placeOfMistake(text: string): string {
  const at = offsetOfMistake(text)
  const before = text.slice(0, at).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function offsetOfMistake(text: string): number {
  /** The brackets that close the open ones. */
  let closing = ''
  /** The characters that the next token may start with. */
  let due = VALUE
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    at += SPACE.exec(text)?.[0].length ?? 0
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0] ?? ''
    const first = token[0]
    if (first === undefined || !due.includes(first)) return at
    if (first === '"' && !due.startsWith(VALUE)) due = ':'
    else if (first === ':') due = VALUE
    else if (first === ',') due = closing.endsWith('}') ? '"' : VALUE
    else if (first === '{' || first === '[') {
      closing += first === '{' ? '}' : ']'
      due = first === '{' ? '"}' : `${VALUE}]`
    } else {
      if (first === '}' || first === ']') closing = closing.slice(0, -1)
      due = closing === '' ? '' : `,${closing.at(-1)}`
    }
    at += token.length
  }
}
