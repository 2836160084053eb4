/** The dotted paths in a text, separated by white space. */
export function pathsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}
