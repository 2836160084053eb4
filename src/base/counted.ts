/** Returns a count followed by its noun, in the singular or plural: `1 sale`, `2 sales`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Joins names into a list for a sentence: `T1`, `T1 and T2`, `T1, T2 and T3`. Returns '' for an empty list. */
export function joinNames(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
