/** The dotted paths in a text that names them between spaces and line ends. */
export function pathsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}
