import { CALL_FLAGS, flag } from '../../cli/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../cli/input/paging.ts'
import { Problems } from '../../cli/input/problems.ts'
import { optionalRange, wireRange } from '../../cli/input/values/time-range.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { listCustomers } from '../../contract/customers.ts'
import { customerList } from '../../views/customers/customer.ts'

export default class CustomersList extends PartnerCommand {
  static override summary = 'List customers.'
  static override description = 'TIME is as in bookings list. Records are printed page by page, as they arrive.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson',
    '<%= config.bin %> <%= command.id %> --sort desc --page-size 250 -o csv > customers.csv',
  ]
  static override baseFlags = CALL_FLAGS
  static override flags = {
    'updated-from': flag('TIME', 'Changed at or after TIME; until now without --updated-to.'),
    'updated-to': flag('TIME', 'Changed at or before TIME.'),
    sort: flag('asc|desc', 'Sort by date of change.'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, whisper } = await this.open(CustomersList)
    const problems = new Problems()
    const paging = parsePaging(flags, problems)
    if (flags.sort !== undefined && flags.sort !== 'asc' && flags.sort !== 'desc')
      problems.add(`--sort must be asc or desc, not ${JSON.stringify(flags.sort)}`)
    const rule = { fromFlag: '--updated-from', toFlag: '--updated-to', openEnd: 'now' } as const
    const read = optionalRange({ from: flags['updated-from'], to: flags['updated-to'] }, rule, host.now())
    problems.check(() => read(null))
    problems.throwIfAny()
    const range = wireRange(read(await connection.timezone('list')))
    if (range) await whisper(`window: ${range.from} to ${range.to}`)
    const query = { DateUpdatedStart: range?.from, DateUpdatedEnd: range?.to, Sort: flags.sort }
    await show.list(await service.pages(listCustomers, { query }, paging), customerList)
  }
}
