import { requiredArgument } from '../../cli/input/arguments.ts'
import { Problems } from '../../cli/input/problems.ts'
import { checkId } from '../../cli/input/values/ids.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { unsubscribeCustomer } from '../../contract/customers.ts'
import { Failure } from '../../failure/failure.ts'
import { unsubscribedCard, unsubscribedList } from '../../views/customers/customer.ts'

export default class CustomersUnsubscribe extends ApiCommand {
  static override summary = 'Unsubscribe customers from marketing e-mails.'
  static override description =
    'Several are done one after the other, with a result line each; the exit code is 11 when any of them failed. Doing it twice does no harm.'
  static override usage = 'customers unsubscribe ID… [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> CUSTOMER-ID',
    '<%= config.bin %> <%= command.id %> ID-1 ID-2 ID-3 -o ndjson',
  ]
  static override args = { id: requiredArgument('customer ID, as customers list prints it; several may be given') }
  static override strict = false

  #failed = 0

  async run(): Promise<void> {
    const { words } = await this.input(CustomersUnsubscribe)
    const ids = [...new Set(words)]
    const problems = new Problems()
    for (const id of ids) problems.check(() => checkId(id, 'id'))
    problems.throwIfAny()
    const [only = ''] = ids
    if (ids.length === 1) {
      const answer = await this.send(unsubscribeCustomer, { path: { id: only } })
      const views = { card: unsubscribedCard, list: unsubscribedList }
      return this.showOne({ id: only, outcome: 'unsubscribed', status: answer.status, message: null }, views)
    }
    if (this.isDryRun)
      return this.showRequests(
        unsubscribeCustomer,
        ids.map((id) => ({ path: { id } })),
      )
    await this.showList(this.#lines(ids), unsubscribedList)
    if (this.#failed > 0)
      throw new Failure('PARTIAL_FAILURE', `${this.#failed} of ${ids.length} customers could not be unsubscribed`, {
        hint: 'see the result lines; running it again for all of them does no harm',
        details: { failed: this.#failed, of: ids.length },
      })
  }

  /** A result line a customer. */
  async *#lines(ids: readonly string[]): AsyncGenerator<readonly string[]> {
    let done = 0
    for (const id of ids) {
      const line = await this.#lineOf(id, done === 0)
      if (line.outcome !== 'unsubscribed') this.#failed++
      done++
      yield [JSON.stringify(line)]
    }
  }

  async #lineOf(id: string, isFirst: boolean) {
    try {
      const { status } = await this.send(unsubscribeCustomer, { path: { id } })
      return { id, outcome: 'unsubscribed', status, message: null }
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'USAGE' || this.host.signal.aborted) throw error
      // A key that is refused would be refused for all of them.
      if (isFirst && error.exitCode === 4) throw error
      const outcome = error.outcome === 'unknown' ? 'unknown' : 'failed'
      return { id, outcome, status: error.request?.status ?? null, message: error.message }
    }
  }
}
