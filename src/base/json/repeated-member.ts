/** Returns whether any object in valid JSON repeats a member name. Parsers disagree about which value to use. */
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
