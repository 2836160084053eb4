/**
 * Whether an object in a valid JSON text names one of its members twice, however the name is written. Parsers take either, so
 * what such a text says depends on who reads it.
 */
export function hasRepeatedMember(json: string): boolean {
  const open: (Set<string> | null)[] = []
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const names = open.at(-1)
      const name = String(JSON.parse(token.slice(0, -1)))
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}
