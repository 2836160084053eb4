/** Returns a count with its noun, such as `1 sale` and `2 sales`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
