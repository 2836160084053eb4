import { describeRange } from '../../base/time/range-words.ts'
import { listCustomers } from '../../contract/customers.ts'
import { customerList } from '../../features/customers/customer.ts'
import { keepRecords } from '../../terminal/input/filters/kept-records.ts'
import { customerSearch } from '../../terminal/input/filters/searched-text.ts'
import { CHECKED_CALL_FLAGS, flag, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../terminal/input/paging.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { noteClockChanges, optionalRange, uncheckedRange, wireRange } from '../../terminal/input/values/time-range.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class CustomersList extends PartnerCommand {
  static override summary = 'List customers.'
  static override description =
    'TIME is as in bookings list. Records are printed page by page, as they arrive. --search is a filter of this command: it reads all pages, and --limit counts what is left.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --search charlotte',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson',
    '<%= config.bin %> <%= command.id %> --sort desc --page-size 250 -o csv > customers.csv',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }
  static override flags = {
    'updated-from': flag('TIME', 'Changed at or after TIME; until now without --updated-to.'),
    'updated-to': flag('TIME', 'Changed at or before TIME.'),
    search: flag('TEXT', 'Only with TEXT in the name, email, phone number or company.'),
    sort: flag('asc|desc', 'Sort by date of change.'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, whisper, warn } = await this.open(CustomersList)
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    const paging = parsePaging(flags, problems)
    if (isChecked && flags.sort !== undefined && flags.sort !== 'asc' && flags.sort !== 'desc')
      problems.add(`--sort must be asc or desc, not ${JSON.stringify(flags.sort)}`)
    const { search } = flags
    if (search?.trim() === '') problems.add('--search must not be empty')
    const rule = { fromFlag: '--updated-from', toFlag: '--updated-to', openEnd: 'now' } as const
    const [now, from, to] = [host.now(), flags['updated-from'], flags['updated-to']]
    const read = optionalRange({ from, to }, rule, now)
    if (isChecked) problems.check(() => read(null))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    const range = isChecked ? read(timezone) : null
    const sent = isChecked ? wireRange(range) : uncheckedRange({ from, to }, { now, timezone })
    if (range && sent) await whisper(`window: ${sent.from} to ${sent.to}`)
    if (isChecked) await noteClockChanges({ '--updated-from': from, '--updated-to': to }, { now, timezone }, warn)
    const query = { DateUpdatedStart: sent?.from, DateUpdatedEnd: sent?.to, Sort: flags.sort }
    // With --search, --limit counts matches, and not the records that were read.
    const { limit } = paging
    const looked = search === undefined ? paging : { pageSize: paging.pageSize }
    const pages = await service.pages(listCustomers, { query }, looked)
    const found = pages && search !== undefined ? keepRecords(pages, customerSearch(search, ['company'])) : pages
    const words = [range && `changed ${describeRange(range, timezone)}`, search && `with ${JSON.stringify(search)}`]
    const scope = { words: words.filter(Boolean).join(' '), isFiltered: search !== undefined, limit }
    await show.list(found, { ...customerList, scope }, limit)
  }
}
