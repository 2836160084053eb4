/** The states of the list parser. Each value describes the expected token in error messages. */
export const EXPECTED = {
  start: 'a list',
  null: 'null',
  'first-name': 'a member name or the closing brace',
  name: 'a member name',
  colon: 'a colon',
  member: 'a value',
  'after-member': 'a comma or the closing brace',
  list: 'a list',
  'first-record': 'a record or the end of the list',
  record: 'a record',
  'after-record': 'a comma or the end of the list',
  nothing: 'nothing more',
} as const

/** Quotes the name of a member in the response. Shortens the name and escapes its control characters. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
}

export function nameAll(names: readonly string[]): string {
  const quoted = [...new Set(names)].map(quoteName)
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
