/** Returns an SQL literal. It is valid only if `standard_conforming_strings` is on. */
export function literal(text: string | null): string {
  return text === null ? 'NULL' : `'${quoteFree(text)}'`
}

export function quoteFree(text: string): string {
  // U+0000 would end the statement, so replace it.
  return text.includes('\0') || text.includes("'") ? text.replaceAll('\0', '\uFFFD').replaceAll("'", "''") : text
}
