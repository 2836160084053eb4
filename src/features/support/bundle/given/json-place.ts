const SPACE = /[ \t\r\n]*/y
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\0-\x1f]+|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** What may come next in JSON. `end`: nothing. */
type Due = 'value' | 'value-or-close' | 'name' | 'name-or-close' | 'colon' | 'comma-or-close' | 'end'

/** Where a text stops being JSON, `line 2, column 13`: an error of `JSON.parse` does not always tell. */
export function placeOfMistake(text: string): string {
  const at = offsetOfMistake(text)
  const before = text.slice(0, at).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function offsetOfMistake(text: string): number {
  const open: string[] = []
  let due: Due = 'value'
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    at += SPACE.exec(text)?.[0].length ?? 0
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    const next: Due | null = token === undefined ? null : after(token, due, open)
    if (token === undefined || next === null) return at
    due = next
    at += token.length
  }
}

/** What is due after a token; null when it is out of place. */
function after(token: string, due: Due, open: string[]): Due | null {
  const closed = (): Due => {
    open.pop()
    return open.length === 0 ? 'end' : 'comma-or-close'
  }
  const isValueDue = due === 'value' || due === 'value-or-close'
  switch (token[0]) {
    case '{':
    case '[':
      if (!isValueDue) return null
      open.push(token)
      return token === '{' ? 'name-or-close' : 'value-or-close'
    case '}':
      return open.at(-1) === '{' && (due === 'name-or-close' || due === 'comma-or-close') ? closed() : null
    case ']':
      return open.at(-1) === '[' && (due === 'value-or-close' || due === 'comma-or-close') ? closed() : null
    case ',':
      if (due !== 'comma-or-close') return null
      return open.at(-1) === '{' ? 'name' : 'value'
    case ':':
      return due === 'colon' ? 'value' : null
    default:
      if (token[0] === '"' && (due === 'name' || due === 'name-or-close')) return 'colon'
      if (!isValueDue) return null
      return open.length === 0 ? 'end' : 'comma-or-close'
  }
}
