import { findNameProblem } from '../../../base/windows-names.ts'
import { Problems } from '../problems.ts'

/** Arguments that are file names. */
const FILE_ARGUMENTS = new Set(['file', 'journal'])
/** Matches the placeholders of flags whose values are file names. */
const FILE_VALUE = /^(?:FILE|DIR|TARGET)\b/
/** Matches values that are not paths: `-`, `:memory:` and URLs. */
const NO_PATH = /^(?:-|:memory:|\w{2,}:\/\/.*)$/s

type Values = Readonly<Record<string, unknown>>

/**
 * Throws USAGE, listing all file names that Windows would redirect to a device or to a different file. Does nothing on
 * other systems.
 */
export function checkFileNames(
  definitions: Values,
  { args, flags }: { readonly args: Values; readonly flags: Values },
  platform: NodeJS.Platform = process.platform,
): void {
  const placeholderOf = (name: string) =>
    (definitions[name] as { readonly helpValue?: string } | undefined)?.helpValue ?? ''
  const named = Object.entries(flags).filter(([name]) => FILE_VALUE.test(placeholderOf(name)))
  const given = [
    ...Object.entries(args).flatMap(([name, value]) => (FILE_ARGUMENTS.has(name) ? [[name.toUpperCase(), value]] : [])),
    ...named.map(([name, value]) => [`--${name}`, value]),
  ]
  const problems = new Problems()
  for (const [what, values] of given)
    for (const value of [values].flat()) {
      if (typeof value !== 'string' || NO_PATH.test(value)) continue
      const problem = findNameProblem(value, platform)
      if (problem !== null) problems.add(`${what}: ${value} ${problem}`)
    }
  problems.throwIfAny('nothing was sent; choose another name')
}
