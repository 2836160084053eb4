import { getSystemErrorMessage } from 'node:util'

/** The beginning of a message that another program has a file open. The file and `open` must follow. */
export const OPEN_ELSEWHERE = 'another program, such as a virus scanner or an editor, has'

/** Returns the code of a system error, such as `ENOSPC`, or `null` for other errors. */
export function getSystemErrorCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : null
}

/** Describes a system error without any paths, such as `no space left on device (ENOSPC)`. */
export function describeSystemError(error: unknown): string {
  const code = getSystemErrorCode(error)
  if (code === 'EBUSY' && process.platform === 'win32') return `${OPEN_ELSEWHERE} it open (EBUSY)`
  const errno = error instanceof Error ? (error as NodeJS.ErrnoException).errno : undefined
  if (code !== null && errno !== undefined && errno < 0) return `${getSystemErrorMessage(errno)} (${code})`
  return code ?? (error instanceof Error ? error.message : 'unknown error')
}
