import { flag } from '../../cli/input/flags.ts'
import { PAGING_FLAGS, pagingFrom } from '../../cli/input/paging.ts'
import { Problems } from '../../cli/input/problems.ts'
import { optionalRange, wireRange } from '../../cli/input/values/time-range.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { listCustomers } from '../../contract/customers.ts'
import { customerList } from '../../views/customers/customer.ts'

export default class CustomersList extends ApiCommand {
  static override summary = 'List customers.'
  static override description = 'TIME is as in bookings list. The list is printed as it comes, page by page.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson',
    '<%= config.bin %> <%= command.id %> --sort desc --page-size 250 -o csv > customers.csv',
  ]
  static override flags = {
    'updated-from': flag('TIME', 'Changed at this time or later; alone: until now.'),
    'updated-to': flag('TIME', 'Changed at this time or before.'),
    sort: flag('asc|desc', 'By the date of change.'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const { flags } = await this.input(CustomersList)
    const problems = new Problems()
    const paging = pagingFrom(flags, problems)
    if (flags.sort !== undefined && flags.sort !== 'asc' && flags.sort !== 'desc')
      problems.add(`--sort must be asc or desc, not ${JSON.stringify(flags.sort)}`)
    const rule = { fromFlag: '--updated-from', toFlag: '--updated-to', openEnd: 'now' } as const
    const read = optionalRange({ from: flags['updated-from'], to: flags['updated-to'] }, rule, this.host.now())
    problems.check(() => read(null))
    problems.throwIfAny()
    const range = wireRange(read(await this.timezone(true)))
    if (range) await this.whisper(`window: ${range.from} to ${range.to}`)
    const query = { DateUpdatedStart: range?.from, DateUpdatedEnd: range?.to, Sort: flags.sort }
    await this.showList(this.pages(listCustomers, { query }, paging), customerList)
  }
}
