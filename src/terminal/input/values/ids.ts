import { usageFailure } from '../../../base/failure/failure.ts'
import { PATH_ID_PATTERN } from '../../../contract/shapes/scalars.ts'

/** Checks an ID before anything is sent. `name` is the argument's name. Throws USAGE. */
export function checkId(id: string, name: string): void {
  if (!PATH_ID_PATTERN.test(id))
    throw usageFailure(
      [`${JSON.stringify(id)} is not an ID: ${name} must be 1 to 128 letters, digits or . _ : ~ -`],
      'copy the ID from a list command; nothing was sent',
    )
}
