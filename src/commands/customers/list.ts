import { listCustomers } from '../../contract/customers.ts'
import { customerList } from '../../features/customers/customer.ts'
import { filterRecords } from '../../terminal/input/filters/kept-records.ts'
import { customerMatcher } from '../../terminal/input/filters/searched-text.ts'
import { CHECKED_CALL_FLAGS, flag, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../terminal/input/paging.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { readKindRange } from '../../terminal/input/values/time-range.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class CustomersList extends PartnerCommand {
  static override summary = 'List customers.'
  static override description =
    "TIME has the same format as in bookings list. Records are printed page by page, as they arrive. --search filters the service's response: the command reads all pages, and --limit counts the customers that match."
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --search charlotte',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson',
    '<%= config.bin %> <%= command.id %> --sort desc --page-size 250 -o csv > customers.csv',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }
  static override flags = {
    'updated-from': flag('TIME', 'List customers changed at or after TIME, up to --updated-to (default: now).'),
    'updated-to': flag('TIME', 'List customers changed at or before TIME.'),
    search: flag('TEXT', 'List only customers with TEXT in the name, email, phone number or company.'),
    sort: flag('asc|desc', 'Sort by date of change.'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const opened = await this.open(CustomersList)
    const { flags, service, show } = opened
    const problems = new Problems()
    const paging = parsePaging(flags, problems)
    if (!flags['no-validate'] && flags.sort !== undefined && flags.sort !== 'asc' && flags.sort !== 'desc')
      problems.add(`--sort must be asc or desc, not ${JSON.stringify(flags.sort)}`)
    const { search } = flags
    if (search?.trim() === '') problems.add('--search must not be empty')
    const range = await readKindRange(opened, 'updated', [flags['updated-from'], flags['updated-to']], problems)
    const query = { DateUpdatedStart: range.sent.from, DateUpdatedEnd: range.sent.to, Sort: flags.sort }
    // With --search, --limit applies to the matching customers, not to the customers read from the service.
    const { limit } = paging
    const looked = search === undefined ? paging : { pageSize: paging.pageSize }
    const pages = await service.pages(listCustomers, { query }, looked)
    const found = pages && search !== undefined ? filterRecords(pages, customerMatcher(search, ['company'])) : pages
    const words = [range.words, search && `with ${JSON.stringify(search)}`]
    const scope = { words: words.filter(Boolean).join(' '), isFiltered: search !== undefined, limit }
    await show.list(found, { ...customerList, scope }, limit)
  }
}
