import { requiredArgument } from '../../cli/input/arguments.ts'
import { readGivenText } from '../../cli/input/body.ts'
import { CALL_FLAGS } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { checkId } from '../../cli/input/values/ids.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import type { Service } from '../../cli/runtime/service.ts'
import { unsubscribeCustomer } from '../../contract/customers.ts'
import { Failure } from '../../failure/failure.ts'
import { unsubscribedCard, unsubscribedList } from '../../views/customers/customer.ts'

export default class CustomersUnsubscribe extends PartnerCommand {
  static override summary = 'Unsubscribe customers from marketing emails.'
  static override description =
    'Several customers are unsubscribed one after the other, with a result line for each; the exit code is 11 if any of them failed. With -, IDs are read from standard input, one a line. It is safe to run it again.'
  static override usage = 'customers unsubscribe ID…|- [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> C-1001',
    '<%= config.bin %> <%= command.id %> C-1001 C-1002 C-1003 -o ndjson',
    '<%= config.bin %> customers list --search charlotte --query "[].id" --raw | <%= config.bin %> <%= command.id %> -',
  ]
  static override args = {
    id: requiredArgument('customer ID, as customers list prints it, or - for standard input; may be repeated'),
  }
  static override strict = false
  static override baseFlags = CALL_FLAGS

  async run(): Promise<void> {
    const { words, service, show, host, say } = await this.open(CustomersUnsubscribe)
    const isPiped = words.includes('-')
    const ids = [...new Set(isPiped ? await withPiped(words) : words)]
    const problems = new Problems()
    for (const id of ids) problems.check(() => checkId(id, 'ID'))
    problems.throwIfAny()
    const [only = ''] = ids
    if (ids.length === 0) await say('no IDs on standard input')
    if (ids.length === 1 && !isPiped) {
      const answer = await service.send(unsubscribeCustomer, { path: { id: only } })
      const views = { card: unsubscribedCard, list: unsubscribedList }
      if (answer === null) return
      return show.one({ id: only, outcome: 'unsubscribed', status: answer.status, message: null }, views)
    }
    if (service.isDryRun) {
      const plans = ids.map((id) => service.complete(unsubscribeCustomer, { path: { id } }))
      return service.showPlans(unsubscribeCustomer, plans)
    }
    const tally = { failed: 0 }
    await show.list(resultLines(service, ids, host.signal, tally), unsubscribedList)
    if (tally.failed > 0)
      throw new Failure('PARTIAL_FAILURE', `${tally.failed} of ${ids.length} customers could not be unsubscribed`, {
        hint: 'see the result lines; it is safe to run it again for all of them',
        details: { failed: tally.failed, of: ids.length },
      })
  }
}

/** The IDs of the command line, with those of standard input in place of each `-`. Fails: USAGE when it cannot be read. */
async function withPiped(words: readonly string[]): Promise<readonly string[]> {
  const lines = (await readGivenText('-', 'ID')).split('\n').map((line) => line.trim())
  return words.flatMap((word) => (word === '-' ? lines.filter((line) => line !== '') : [word]))
}

/** Unsubscribes one customer after the other, and gives a result line for each; counts those that failed. */
async function* resultLines(
  service: Service,
  ids: readonly string[],
  stop: AbortSignal,
  tally: { failed: number },
): AsyncGenerator<readonly string[]> {
  for (const [index, id] of ids.entries()) {
    const line = await unsubscribe(service, id).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code === 'USAGE' || stop.aborted) throw error
      // A key that is refused for the first would be refused for all of them.
      if (index === 0 && error.exitCode === 4) throw error
      const outcome = error.outcome === 'unknown' ? 'unknown' : 'failed'
      return { id, outcome, status: error.request?.status ?? null, message: error.message }
    })
    if (line.outcome !== 'unsubscribed') tally.failed++
    yield [JSON.stringify(line)]
  }
}

async function unsubscribe(service: Service, id: string) {
  const answer = await service.send(unsubscribeCustomer, { path: { id } })
  return { id, outcome: 'unsubscribed', status: answer?.status ?? null, message: null }
}
