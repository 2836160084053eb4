/** Parses each non-empty line of text as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any member of a record
export function parseNdjson(text: string): any[] {
  const lines = text.split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
