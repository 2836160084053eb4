import { CALL_FLAGS, flag, toggle } from '../../cli/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../cli/input/paging.ts'
import { Problems } from '../../cli/input/problems.ts'
import { optionalRange, wireRange } from '../../cli/input/values/time-range.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { listGiftCards } from '../../contract/giftcards.ts'
import { giftCardList } from '../../views/giftcards/gift-card.ts'

export default class GiftcardsList extends PartnerCommand {
  static override summary = 'List gift cards.'
  static override description =
    'Cancelled, fully redeemed and expired cards are left out unless you include them. TIME is as in bookings list.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --issued-from -7d',
    '<%= config.bin %> <%= command.id %> --include-redeemed --include-expired -o csv > cards.csv',
    '<%= config.bin %> <%= command.id %> --json --query "[].remainingAmount | sum(@)"',
  ]
  static override baseFlags = CALL_FLAGS
  static override flags = {
    sku: flag('SKU', 'Only cards sold under this SKU.'),
    'issued-from': flag('TIME', 'Issued at or after TIME; until now without --issued-to.'),
    'issued-to': flag('TIME', 'Issued at or before TIME.'),
    'include-cancelled': toggle('Include cancelled cards.'),
    'include-redeemed': toggle('Include fully redeemed cards.'),
    'include-expired': toggle('Include expired cards.'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, whisper } = await this.open(GiftcardsList)
    const problems = new Problems()
    const paging = parsePaging(flags, problems)
    const rule = { fromFlag: '--issued-from', toFlag: '--issued-to', openEnd: 'now' } as const
    const read = optionalRange({ from: flags['issued-from'], to: flags['issued-to'] }, rule, host.now())
    problems.check(() => read(null))
    problems.throwIfAny()
    const range = wireRange(read(await connection.timezone('list')))
    if (range) await whisper(`window: ${range.from} to ${range.to}`)
    const query = {
      Sku: flags.sku,
      IssueDateUtcStart: range?.from,
      IssueDateUtcEnd: range?.to,
      IncludeCancelled: flags['include-cancelled'] ? true : undefined,
      IncludeRedeemed: flags['include-redeemed'] ? true : undefined,
      IncludeExpired: flags['include-expired'] ? true : undefined,
    }
    await show.list(await service.pages(listGiftCards, { query }, paging), giftCardList)
  }
}
