import { createSale } from '../../contract/sales.ts'
import {
  buildSaleMembers,
  checkSaleOrder,
  isLinked,
  parseSaleTimes,
  SALE_FLAG_NAMES,
  SALE_FLAGS,
  saleToCheck,
  timesOfFlags,
  withSaleDefaults,
} from '../../features/sales/flags.ts'
import { submittedSaleCard, submittedSaleList } from '../../features/sales/views.ts'
import { checkStatus } from '../../features/shared/look-up.ts'
import { readTableMap, TABLE_MAP_FLAG } from '../../features/shared/table-map-flag.ts'
import { soughtBy } from '../../money/sale-search.ts'
import { saleInput, submitSaleOnce } from '../../money/sales.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { validate } from '../../terminal/input/validate.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesCreate extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Submit a sale from the till, which the service links to a booking.'
  static override description =
    `Amounts are in whole cents, while sales list shows currency units. The service finds the booking by --booking-id, or by --table-number and the time.

If the answer is lost, the sale is sent again. The service refuses a sale ID that it already has, so a 409 then proves that the first one arrived.`
  static override usage = 'sales create --sale-id ID --staff-id ID --seats N [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --sale-id TILL-1 --staff-id staff-1 --seats 3 --booking-id BK-1003 --total-cents 12500 --currency AUD --closed now',
    '<%= config.bin %> <%= command.id %> --sale-id TILL-2 --type REFUND --set origin.originalSaleId=S-1001 --staff-id staff-1 --seats 4 --booking-id BK-1005 --total-cents 2500 --currency AUD',
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = { ...SALE_FLAGS, ...TABLE_MAP_FLAG, ...FORCE_FLAG }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, say, warn } = await this.open(SalesCreate)
    const problems = new Problems()
    const now = host.now()
    const isChecked = !flags['no-validate']
    const ordered = await buildBody(flags, buildSaleMembers(flags), problems)
    const tables = await problems.checkLater(() => readTableMap(flags['table-map']))
    const { sale: given, problem } = tables?.applyTo(ordered) ?? { sale: ordered, problem: null }
    if (problem !== null && isChecked)
      problems.add(`--table-number: ${problem}`, 'write it into the map; nothing was sent')
    const saleIn = (timezone: string | null) => {
      const times = parseSaleTimes(flags, { now, timezone }, isChecked ? problems : new Problems())
      return withSaleDefaults({ ...given, ...times }, now)
    }
    // Without the zone first, so that mistakes are reported before a profile is needed.
    const sale = saleIn(null)
    if (isChecked) await validate(createSale.body, saleToCheck(sale), SALE_FLAG_NAMES, problems)
    problems.throwIfAny('see partner sales create --help; nothing was sent')
    const typed = saleIn(await connection.timezone())
    if (isChecked) checkSaleOrder(typed, problems, timesOfFlags(flags))
    const extraQuery = parseParameters(flags, problems)
    problems.throwIfAny()
    if (!isLinked(typed))
      await warn('neither --booking-id nor --table-number is given: the service cannot link this sale to a booking')
    const body =
      flags.status !== undefined && isChecked ? { ...typed, status: await checkStatus(service, flags.status) } : typed
    const order = { ...soughtBy(body), body, extraQuery }
    if (service.isDryRun) return service.showPlans(createSale, [saleInput(order)])
    const result = await submitSaleOnce(await service.moneyDesk(), order)
    const { saleId } = order
    const views = { card: submittedSaleCard, list: submittedSaleList }
    if (result.answer) return show.answer(result.answer, views, { saleId })
    await say(`${result.lost}, but the sale arrived: ${result.how}`)
    await show.one({ saleId }, views)
  }
}
