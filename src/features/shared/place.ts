import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { describeUnlessPlain } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'

/** Checks, before anything is collected, that a new or replaceable file can be put at a path. Fails: USAGE. */
export function checkPlace(
  path: string,
  mayReplace: boolean,
  { flag, example }: { readonly flag: string; readonly example: string },
): void {
  if (path.trim() === '') throw usageFailure([`${flag} must not be empty`], 'name the file that is to be written')
  const directory = dirname(path)
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    const kind = stats ? describeUnlessPlain(stats) : null
    if (kind !== null) throw usageFailure([`${flag}: ${path} is ${kind}`], 'name a file that is not there yet')
    if (stats && !mayReplace)
      throw usageFailure([`${flag}: ${path} is there already`], 'choose another name, or add --yes to replace it')
    if (!statSync(directory).isDirectory()) throw usageFailure([`${flag}: ${directory} is no directory`])
    accessSync(directory, constants.W_OK)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure(
      [`${flag}: ${basename(path)} cannot be written to ${directory}: ${describeSystemError(error)}`],
      `choose a directory that is there and that you may write to: ${flag} ${example}`,
    )
  }
}
