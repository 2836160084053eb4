import { usageFailure } from '../../base/failure/failure.ts'
import { operationList, zoneFor } from '../../features/operations/views.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { flag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const STATES = ['open', 'applied', 'not-applied']

export default class OperationsList extends PartnerCommand {
  static override summary = 'List the money writes whose outcome is or was unknown.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --state open --profile sandbox --json',
  ]
  static override flags = {
    profile: { ...flag('NAME', 'List only writes that were made with this profile.'), char: 'p' as const },
    state: flag('open|applied|not-applied', 'List only writes in this state.'),
  }

  async run(): Promise<void> {
    const { flags, show, connection, operations } = await this.open(OperationsList)
    const { profile, state } = flags
    if (state !== undefined && !STATES.includes(state))
      throw usageFailure([`--state must be open, applied or not-applied, not ${JSON.stringify(state)}`])
    const store = await operations.open()
    connection.zone = await zoneFor(connection, store.profiles({ profile, state }))
    const isFiltered = profile !== undefined || state !== undefined
    const view = isFiltered ? { ...operationList, empty: 'No matching operations.' } : operationList
    await show.all(store.list({ profile, state }).map(describeOperation), view)
  }
}
