import { usageFailure } from '../../base/failure/failure.ts'
import { operationList, zoneFor } from '../../features/operations/views.ts'
import { parseOnceKey } from '../../money/once/key.ts'
import { describeAll, operationsOfKey } from '../../money/once/shown.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { flag, LEDGER_FLAG } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const STATES = ['open', 'applied', 'not-applied']

export default class OperationsList extends PartnerCommand {
  static override summary = 'List the money writes whose outcome is or was unknown.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --state open --profile sandbox --json',
  ]
  static override flags = {
    profile: { ...flag('NAME', 'List only writes by this profile.'), char: 'p' as const },
    state: flag('open|applied|not-applied', 'List only writes in this state.'),
    ...LEDGER_FLAG,
    once: flag('KEY', 'List only the last write with this --once key, even if its outcome was always known.'),
  }

  async run(): Promise<void> {
    const { flags, show, connection, operations } = await this.open(OperationsList)
    const { profile, state, once } = flags
    if (state !== undefined && !STATES.includes(state))
      throw usageFailure([`--state must be open, applied or not-applied, not ${JSON.stringify(state)}`])
    const key = once === undefined ? null : parseOnceKey(once)
    const store = await operations.open()
    await (await operations.ledger())?.refreshAll(key)
    const only = { profile, state }
    const isFiltered = profile !== undefined || state !== undefined || key !== null
    const view = isFiltered ? { ...operationList, empty: 'No matching operations.' } : operationList
    if (key === null) {
      connection.zone = await zoneFor(connection, store.profiles(only))
      return show.all(describeAll(store, only), view)
    }
    const found = operationsOfKey(store, key).filter(
      (one) => (profile ?? one.profile) === one.profile && (state ?? one.state) === one.state,
    )
    connection.zone = await zoneFor(
      connection,
      found.map((one) => one.profile),
    )
    await show.all(
      found.map((one) => describeOperation(one, key)),
      view,
    )
  }
}
