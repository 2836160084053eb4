import { Failure } from '../../src/base/failure/failure.ts'

/** Returns the failure that a function throws. Rethrows any other error. */
export function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('the work did not fail')
}

/** Returns the failure that an asynchronous function rejects with. Rethrows any other error. */
export async function rejectionOf(work: () => unknown): Promise<Failure> {
  const end = await new Promise((resolve) => resolve(work())).then(
    () => () => {},
    (error: unknown) => () => {
      throw error
    },
  )
  return failureOf(end)
}

/** Returns all text that can be printed for a failure, as one string. */
export function everything({ message, hint, details, cause }: Failure): string {
  return JSON.stringify([message, hint, details, String(cause)])
}
