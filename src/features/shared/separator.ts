import { SEPARATORS } from './csv-rows.ts'

/** The separator that comes most often in a line, outside quotes; a comma where there is none. */
export function separatorOf(line: string): string {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return [...SEPARATORS].sort((a, b) => count(b) - count(a))[0] ?? ','
}
