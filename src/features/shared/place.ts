import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { describeUnlessPlain } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'

/** Checks that a file can be written to a path. Commands call this before they collect any data. Throws USAGE. */
export function checkWritablePath(
  path: string,
  mayReplace: boolean,
  { flag, example }: { readonly flag: string; readonly example: string },
): void {
  if (path.trim() === '') throw usageFailure([`${flag} must not be empty`], 'name the file to write')
  const directory = dirname(path)
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    const kind = stats ? describeUnlessPlain(stats) : null
    if (kind !== null) throw usageFailure([`${flag}: ${path} is ${kind}`], 'name a file that does not exist yet')
    if (stats && !mayReplace)
      throw usageFailure([`${flag}: ${path} already exists`], 'choose another name, or add --yes to replace it')
    if (!statSync(directory).isDirectory()) throw usageFailure([`${flag}: ${directory} is not a directory`])
    accessSync(directory, constants.W_OK)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure(
      [`${flag}: ${basename(path)} cannot be written to ${directory}: ${describeSystemError(error)}`],
      `choose an existing directory that you can write to: ${flag} ${example}`,
    )
  }
}
