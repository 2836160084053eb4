import { Failure } from '../../src/base/failure/failure.ts'

/** Returns the failure that a function throws. Any other error passes through. */
export function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('the work did not fail')
}

/** Returns the failure with which an asynchronous function rejects. Any other error passes through. */
export async function rejectionOf(work: () => unknown): Promise<Failure> {
  const end = await new Promise((resolve) => resolve(work())).then(
    () => () => {},
    (error: unknown) => () => {
      throw error
    },
  )
  return failureOf(end)
}

/** Returns everything that a failure can show, as one string. */
export function everything({ message, hint, details, cause }: Failure): string {
  return JSON.stringify([message, hint, details, String(cause)])
}
