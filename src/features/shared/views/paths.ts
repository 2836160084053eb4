/** Splits text into the dotted paths that white space separates. */
export function pathsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}
