import { SALE_FLAGS, submitSale } from '../../features/sales/create.ts'
import { TABLE_MAP_FLAG } from '../../features/shared/table-map.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG, LEDGER_FLAG, ONCE_FLAG } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesCreate extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Submit a sale from the till; the service links it to a booking.'
  static override description =
    `Amounts are in whole cents, whereas sales list shows currency units. The service finds the booking by --booking-id, or by --table-number and the time.

If the response is lost, the sale is sent again. The service rejects a sale ID that it already has, so a 409 then proves that the first request arrived.`
  static override usage = 'sales create --sale-id ID --staff-id ID --seats N [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --sale-id TILL-1 --staff-id staff-1 --seats 3 --booking-id BK-1003 --total-cents 12500 --currency AUD --closed now',
    '<%= config.bin %> <%= command.id %> --sale-id TILL-2 --type REFUND --set origin.originalSaleId=S-1001 --staff-id staff-1 --seats 4 --booking-id BK-1005 --total-cents 2500 --currency AUD',
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = { ...SALE_FLAGS, ...TABLE_MAP_FLAG, ...ONCE_FLAG, ...LEDGER_FLAG, ...FORCE_FLAG }

  async run(): Promise<void> {
    await submitSale(await this.open(SalesCreate))
  }
}
