import { Failure, type FailureDetail } from '../base/failure/failure.ts'
import { Interrupted } from '../base/failure/interrupted.ts'
import { describeSystemError, getSystemErrorCode } from '../base/storage/system-error.ts'
import { type Address, describeServer, PASS_FILE } from './address.ts'

/**
 * Thrown if the database cannot be reached, or if it aborted a statement that might succeed when it is retried. The
 * exit code is 8.
 */
export class ConnectionLost extends Failure {
  constructor(words: string, detail: FailureDetail = {}, code: 'NETWORK_ERROR' | 'TIMEOUT' = 'NETWORK_ERROR') {
    super(code, words, detail)
  }
}

type ServerError = Error & { readonly code: string; readonly severity: string }

/** Returns the SQLSTATE of an error from the server. Returns `null` for any other error. */
export function sqlState(error: unknown): string | null {
  return isServerError(error) ? error.code : null
}

function isServerError(error: unknown): error is ServerError {
  return (
    error instanceof Error &&
    typeof (error as Partial<ServerError>).severity === 'string' &&
    /^[0-9A-Z]{5}$/.test((error as Partial<ServerError>).code ?? '')
  )
}

/** Converts an error from the driver, the system or the server to a failure that identifies the server. */
export function explainError(error: unknown, address: Address): Failure | Interrupted {
  if (error instanceof Failure || error instanceof Interrupted) return error
  const place = `PostgreSQL at ${describeServer(address)}`
  if (isServerError(error)) return explainRefusal(error, place, address)
  const code = getSystemErrorCode(error)
  const text = error instanceof Error ? error.message : String(error)
  if (isTlsError(code, text))
    return new Failure('NETWORK_ERROR', `cannot encrypt the connection to ${place}: ${text}`, {
      hint: 'check sslmode, sslrootcert, sslcert and sslkey',
      cause: error,
    })
  if (code !== null)
    return new ConnectionLost(`cannot reach ${place}: ${describeSystemError(error)}`, { hint: UNREACHED, cause: error })
  const why = /Connection terminated/.test(text) ? 'it ended unexpectedly' : text
  return new ConnectionLost(`the connection to ${place} was lost: ${why}`, { hint: RUN_AGAIN, cause: error })
}

const RUN_AGAIN = 'nothing is lost; to continue from the last commit, run the command again'
const UNREACHED =
  'check the host, the port, and that the server is running; to continue from the last commit, run the command again'
const NO_TLS = /does not support SSL|establishing an SSL/

/** Returns whether an error means that TLS failed, or that the server does not support it. */
export function isTlsError(code: string | null, text: string): boolean {
  return (
    NO_TLS.test(text) ||
    (code !== null &&
      /^(?:ERR_SSL|ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|INVALID_CA|EPROTO$)/.test(code))
  )
}

function explainRefusal(error: ServerError, place: string, { user, database }: Address): Failure {
  const { code, message } = error
  const refused = (words: string, hint: string) =>
    new Failure('REJECTED', words, { hint, said: [message], cause: error })
  const lost = (words: string, isTimeout = false) =>
    new ConnectionLost(
      words,
      { hint: RUN_AGAIN, said: [message], cause: error },
      isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR',
    )
  if (code.startsWith('28'))
    return refused(`${place} rejected the user "${user}"`, `check the user, PGPASSWORD or ${PASS_FILE}, and sslmode`)
  if (code === '3D000') return refused(`${place} has no such database`, `create it first: createdb ${database}`)
  if (code === '42501')
    return refused(
      `${place} does not let "${user}" do this`,
      "have the database's owner run this once to create the tables, and then GRANT SELECT, INSERT, UPDATE, DELETE on them",
    )
  if (code === '25006') return refused(`${place} is read-only`, 'this may be a replica: use the address of the primary')
  if (code === '57014' || code === '55P03') return lost(`${place} took too long`, true)
  if (/^(?:08|40|53|57)/.test(code) || code === '25P03' || code === '25P04')
    return lost(`${place} aborted the statement`)
  return new Failure('SERVICE_ERROR', `${place} rejected the statement (${code})`, {
    hint: 'nothing has changed since the last commit',
    said: [message],
    cause: error,
  })
}
