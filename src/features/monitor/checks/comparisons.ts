import type { Failure } from '../../../base/failure/failure.ts'
import type { BooksCheck, CheckKind, GapsCheck } from '../../../monitor/file/monitor-file.ts'
import type { Finding } from '../../../monitor/state/machine.ts'
import { type CheckContext, commandLine, forVenue, ok, unknown, withoutPassword, wrong } from './context.ts'
import { failureLine, runPartner } from './run-command.ts'

/** Checks for missing events. Late, duplicate and extra events are harmless. Throws Interrupted. */
export async function checkGaps({ journal, copy, source, since }: GapsCheck, context: CheckContext): Promise<Finding> {
  const flags = {
    journal: forVenue(journal, context.venue),
    copy: forVenue(copy, context.venue),
    ...optional('source', source, context),
    ...(since === null ? {} : { since }),
  }
  const { failure, next } = await run('webhooks gaps', [], flags, context)
  if (failure === null) return ok('no event is missing')
  if (failure.code !== 'PARTIAL_FAILURE') return unknown(failureLine(failure), next)
  const { missing = 0 } = failure.details as { readonly missing?: number }
  if (missing === 0) return ok('no event is missing')
  return wrong(`${missing === 1 ? '1 event is' : `${missing} events are`} missing`, next)
}

type DriftCheck = Extract<CheckKind, { readonly kind: 'drift' }>

/** Compares the service's responses with the contract. Throws Interrupted. */
export async function checkDrift({ failOn }: DriftCheck, context: CheckContext): Promise<Finding> {
  const { failure, next } = await run('drift', [], { 'fail-on': failOn }, context)
  return judge(failure, 'the service follows the contract', next)
}

/** Compares the sales that the POS closed with the service's sales. Throws Interrupted. */
export async function checkBooks(
  { sales, date, map, copy, source }: BooksCheck,
  context: CheckContext,
): Promise<Finding> {
  const flags = {
    ...(date === null ? {} : { date }),
    ...(map.length === 0 ? {} : { map: [...map] }),
    ...optional('copy', copy, context),
    ...optional('source', source, context),
  }
  const { failure, next } = await run('sales reconcile', [forVenue(sales, context.venue)], flags, context)
  return judge(failure, 'the books agree', next)
}

function optional(name: 'copy' | 'source', given: string | null, { venue }: CheckContext): Record<string, string> {
  return given === null ? {} : { [name]: forVenue(given, venue) }
}

/**
 * Runs a command that fails with PARTIAL_FAILURE if it finds differences. `next` is the command for the user to run.
 */
async function run(
  command: string,
  [file]: readonly string[],
  flags: Readonly<Record<string, string | string[]>>,
  context: CheckContext,
): Promise<{ readonly failure: Failure | null; readonly next: string }> {
  const { failure } = await runPartner(command, { args: file === undefined ? {} : { file }, flags }, context)
  const words = Object.entries(flags).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [`--${name}`, withoutPassword(one)]),
  )
  const next = commandLine([...command.split(' '), ...(file === undefined ? [] : [file]), ...words], context.venue)
  return { failure, next }
}

function judge(failure: Failure | null, good: string, next: string): Finding {
  if (failure === null) return ok(good)
  return failure.code === 'PARTIAL_FAILURE' ? wrong(failureLine(failure), next) : unknown(failureLine(failure), next)
}
