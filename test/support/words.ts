/** A command line as its words, split at its spaces: for one in which no argument holds a space. */
export function words(line: string): string[] {
  return line.split(' ')
}
