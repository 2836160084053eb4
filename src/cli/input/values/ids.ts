import { PATH_ID_PATTERN } from '../../../contract/shapes/scalars.ts'
import { usageFailure } from '../../../failure/failure.ts'

/** Checks an id before anything is sent. `name` is the argument. Fails: USAGE. */
export function checkId(id: string, name: string): void {
  if (!PATH_ID_PATTERN.test(id))
    throw usageFailure(
      [`${JSON.stringify(id)} is not an id: ${name} is 1 to 128 letters, digits, and . _ : ~ -`],
      'ids are printed by the list commands; nothing was sent',
    )
}
