/** Splits a text into dotted paths separated by white space. */
export function pathsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}
