import { listGiftCards } from '../../contract/giftcards.ts'
import { giftCardList, hiddenCards } from '../../features/giftcards/views/gift-card.ts'
import { CHECKED_CALL_FLAGS, flag, MANY_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../terminal/input/paging.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { readKindRange } from '../../terminal/input/values/time-range.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsList extends PartnerCommand {
  static override summary = 'List gift cards.'
  static override description =
    'Cancelled, fully redeemed and expired cards are omitted unless you include them. TIME has the same format as in bookings list.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --issued-from -90d',
    '<%= config.bin %> <%= command.id %> --include-redeemed --include-expired -o csv > cards.csv',
    '<%= config.bin %> <%= command.id %> --json --query "[].remainingAmount | sum(@)"',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }
  static override flags = {
    sku: flag('SKU', 'List only cards sold under this SKU.'),
    'issued-from': flag('TIME', 'List cards issued at or after TIME, up to --issued-to (default: now).'),
    'issued-to': flag('TIME', 'List cards issued at or before TIME.'),
    'include-cancelled': toggle('Include cancelled cards.'),
    'include-redeemed': toggle('Include fully redeemed cards.'),
    'include-expired': toggle('Include expired cards.'),
    ...PAGING_FLAGS,
  }

  async run(): Promise<void> {
    const opened = await this.open(GiftcardsList)
    const { flags, service, show } = opened
    const problems = new Problems()
    const paging = parsePaging(flags, problems)
    const range = await readKindRange(opened, 'issued', [flags['issued-from'], flags['issued-to']], problems)
    const query = {
      Sku: flags.sku,
      IssueDateUtcStart: range.sent.from,
      IssueDateUtcEnd: range.sent.to,
      IncludeCancelled: flags['include-cancelled'] ? true : undefined,
      IncludeRedeemed: flags['include-redeemed'] ? true : undefined,
      IncludeExpired: flags['include-expired'] ? true : undefined,
    }
    const words = [range.words, flags.sku && `with SKU ${JSON.stringify(flags.sku)}`]
    const scope = { words: words.filter(Boolean).join(' '), limit: paging.limit, hides: hiddenCards(flags) }
    await show.list(await service.pages(listGiftCards, { query }, paging), { ...giftCardList, scope })
  }
}
