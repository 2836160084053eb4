import { toWireTime } from '../../base/time/instant.ts'
import { describeRange } from '../../base/time/range-words.ts'
import { getSingleDay, resolveRange } from '../../base/time/window.ts'
import { listSales } from '../../contract/sales.ts'
import { saleList } from '../../features/sales/views.ts'
import { CALL_FLAGS, flag, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../terminal/input/paging.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { warnAboutClockChanges } from '../../terminal/input/values/time-range.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesList extends PartnerCommand {
  static override summary = 'List sales, each with its booking.'
  static override description =
    "Without dates, it lists today's sales. Amounts are in currency units, whereas sales create takes cents. TIME has the same format as in bookings list."
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --from -30d --to today -o csv > sales.csv',
    '<%= config.bin %> <%= command.id %> --json --query "[].saleDetail.total | sum(@)"',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    from: flag('TIME', 'Start of the range (default: today).'),
    to: flag('TIME', 'End of the range (default: the end of the day on which it starts).'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, debug, warn } = await this.open(SalesList)
    const problems = new Problems()
    const paging = parsePaging(flags, problems)
    const rule = { fromFlag: '--from', toFlag: '--to', openEnd: 'day' } as const
    const given = { from: flags.from ?? (flags.to === undefined ? 'today' : undefined), to: flags.to }
    const now = host.now()
    const read = (timezone: string | null) => resolveRange(given, rule, { now, timezone })
    problems.check(() => read(null))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    const range = read(timezone)
    show.ofDay(getSingleDay(range, timezone))
    const query = { StartDate: toWireTime(range.fromMs), EndDate: toWireTime(range.toMs) }
    await debug(`window: ${query.StartDate} to ${query.EndDate}`)
    await warnAboutClockChanges({ '--from': flags.from, '--to': flags.to }, { now, timezone }, warn)
    const scope = { words: describeRange(range, timezone), limit: paging.limit }
    await show.list(await service.pages(listSales, { query }, paging), { ...saleList, scope })
  }
}
