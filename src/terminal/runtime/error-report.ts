import { EXIT_CODES } from '../../base/failure/exit-codes.ts'
import { Failure, joinSaid, messageOf } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import type { Screen } from '../render/screen.ts'
import { fitsOneRow, indentedLines, labelledLines, quotedLines } from '../render/text/message-lines.ts'
import { jsonTerminalSafe } from '../render/text/safe-text.ts'

/**
 * Converts any error to a failure. An unexpected error is a bug, so it becomes INTERNAL with a hint that says how to
 * report it.
 */
export function toFailure(error: unknown, verbose: boolean): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Interrupted) return new Failure('INTERRUPTED', error.message)
  const said = messageOf(error)
  const where = verbose && error instanceof Error ? error.stack : undefined
  return new Failure('INTERNAL', `unexpected error: ${said}`, {
    hint: verbose
      ? 'this is a bug in partner: report it with the lines above'
      : 'this is a bug in partner: run the command again with -v and report its output',
    details: where === undefined ? undefined : { stack: where },
    cause: error,
  })
}

/**
 * Formats a failure as lines. `secrets` are hidden before the lines are wrapped, because wrapping could split a secret.
 */
export async function formatReportText(
  failure: Failure,
  hint: string | undefined,
  screen: Screen,
  secrets: readonly string[],
): Promise<string> {
  const paint = (code: string, text: string) => (screen.color ? `\u001b[${code}m${text}\u001b[0m` : text)
  const clean = (text: string) => hideSecrets(text, secrets)
  const lines = await whatHappened(failure, paint('31', LABEL), screen, clean)
  if (hint) lines.push(...(await labelledLines('next:', paint('36', 'next:'), clean(hint), screen)))
  const about = aboutLine(failure)
  if (about !== null)
    for (const row of await labelledLines(about.label, about.label, clean(about.text), screen))
      lines.push(paint('2', row))
  return `${lines.join('\n')}\n`
}

const LABEL = 'error:'

/**
 * Returns the error line and the lines below it. The service's message is on the error line if it fits, and otherwise
 * quoted below.
 */
async function whatHappened(failure: Failure, label: string, screen: Screen, clean: (text: string) => string) {
  const words = clean(failure.words)
  const said = failure.said.map(clean)
  const whole = joinSaid(words, said[0])
  const isWhole = said.length === 0 || (await fitsOneRow(whole, LABEL.length + 1, screen))
  const below = isWhole ? said.slice(1) : said
  return [
    ...(await labelledLines(LABEL, label, isWhole ? whole : `${words || 'the service says'}:`, screen)),
    ...(await Promise.all(failure.lines.map((line) => indentedLines(clean(line), '  ', screen)))).flat(),
    ...(below.length > 0 ? await quotedLines(below, screen) : []),
  ]
}

/**
 * Returns a line that names the request and its service, or only the service. Returns `null` if no service was used.
 */
function aboutLine({ request, service }: Failure): { readonly label: string; readonly text: string } | null {
  const profile = request?.profile ?? service?.profile ?? null
  const host = service === undefined || service.host === profile ? null : service.host
  const named = profile === null ? null : `profile ${profile}`
  const joined = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ')
  if (!request) return service === undefined ? null : { label: 'service:', text: joined([named, host]) }
  const status = request.status === null ? 'no answer' : `status ${request.status}`
  const attempts = request.attempts === 1 ? '1 attempt' : `${request.attempts} attempts`
  return { label: 'request:', text: joined([`${request.method} ${request.path}`, named, status, attempts, host]) }
}

/**
 * Formats a failure as one line of JSON, escaped for a terminal. `profile` is set if the command ran for several
 * venues.
 */
export function formatReportJson(failure: Failure, hint: string | undefined, profile?: string): string {
  const { request } = failure
  const error = {
    code: failure.code,
    exitCode: EXIT_CODES[failure.code],
    profile,
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
