import { usageFailure } from '../../../base/failure/failure.ts'
import { PATH_ID_PATTERN } from '../../../contract/shapes/scalars.ts'

/** Throws USAGE if an ID is invalid. `name` is the argument's name. Call this before sending anything. */
export function checkId(id: string, name: string): void {
  if (!PATH_ID_PATTERN.test(id))
    throw usageFailure(
      [`${JSON.stringify(id)} is not an ID: ${name} must be 1 to 128 letters, digits or . _ : ~ -`],
      'nothing was sent; copy the ID from the output of a list command',
    )
}
