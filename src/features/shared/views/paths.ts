/** Splits text on whitespace into dotted paths. */
export function pathsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}
