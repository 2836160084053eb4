import { EXIT_CODES } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { Interrupted } from '../http/errors.ts'
import { jsonTerminalSafe, terminalSafe } from '../render/safe-text.ts'
import type { Screen } from '../render/screen.ts'

/** Whatever ended a command, as a failure. What we did not foresee is ours (INTERNAL), and says how to tell us. */
export function failureOf(error: unknown, verbose: boolean): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Interrupted) return new Failure('INTERRUPTED', error.message)
  const said = error instanceof Error ? error.message : String(error)
  const where = verbose && error instanceof Error ? error.stack : undefined
  return new Failure('INTERNAL', `unexpected error: ${said}`, {
    hint: verbose
      ? 'this is a fault in partner: please report it with the lines above'
      : 'this is a fault in partner: run it again with -v and report what it prints',
    details: where === undefined ? undefined : { stack: where },
    cause: error,
  })
}

/** The failure as lines for a person: what happened, what to do next (undefined: nothing is known), which request it was. */
export function reportLines(failure: Failure, hint: string | undefined, screen: Screen): string {
  const paint = (code: string, text: string) => (screen.color ? `\u001b[${code}m${text}\u001b[0m` : text)
  const [first = '', ...rest] = failure.message.split('\n')
  const lines = [`${paint('31', 'error:')} ${terminalSafe(first)}`, ...rest.map(terminalSafe)]
  if (hint) lines.push(`${paint('36', 'next:')} ${terminalSafe(hint)}`)
  const about = aboutLine(failure)
  if (about !== null) lines.push(paint('2', terminalSafe(about)))
  return `${lines.join('\n')}\n`
}

/** Which request of which service it was; the service alone when it is about no one request. Null: nothing was asked for. */
function aboutLine({ request, service }: Failure): string | null {
  const profile = request?.profile ?? service?.profile ?? null
  const host = service === undefined || service.host === profile ? null : service.host
  const named = profile === null ? null : `profile ${profile}`
  const line = (label: string, parts: readonly (string | null)[]) =>
    `${label}: ${parts.filter((part) => part !== null).join(' · ')}`
  if (!request) return service === undefined ? null : line('service', [named, host])
  const status = request.status === null ? 'no answer' : `status ${request.status}`
  const attempts = request.attempts === 1 ? '1 attempt' : `${request.attempts} attempts`
  return line('request', [`${request.method} ${request.path}`, named, status, attempts, host])
}

/** The failure as one line of JSON for a program; escaped, as stderr is a terminal more often than stdout. */
export function reportJson(failure: Failure, hint: string | undefined): string {
  const { request } = failure
  const error = {
    code: failure.code,
    exitCode: EXIT_CODES[failure.code],
    message: failure.message,
    hint,
    status: request?.status ?? undefined,
    method: request?.method,
    path: request?.path,
    host: failure.service?.host,
    attempts: request?.attempts,
    outcome: failure.outcome,
    details: failure.details,
  }
  return `${jsonTerminalSafe(JSON.stringify({ error }))}\n`
}
