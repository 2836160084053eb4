import { describeRange } from '../../base/time/range-words.ts'
import { listGiftCards } from '../../contract/giftcards.ts'
import { giftCardList, hiddenCards } from '../../features/giftcards/views/gift-card.ts'
import { CHECKED_CALL_FLAGS, flag, MANY_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../../terminal/input/paging.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { noteClockChanges, optionalRange, uncheckedRange, wireRange } from '../../terminal/input/values/time-range.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsList extends PartnerCommand {
  static override summary = 'List gift cards.'
  static override description =
    'Cancelled, fully redeemed and expired cards are left out unless you include them. TIME is as in bookings list.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --issued-from -90d',
    '<%= config.bin %> <%= command.id %> --include-redeemed --include-expired -o csv > cards.csv',
    '<%= config.bin %> <%= command.id %> --json --query "[].remainingAmount | sum(@)"',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }
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
    const { flags, connection, service, show, host, whisper, warn } = await this.open(GiftcardsList)
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    const paging = parsePaging(flags, problems)
    const rule = { fromFlag: '--issued-from', toFlag: '--issued-to', openEnd: 'now' } as const
    const [now, from, to] = [host.now(), flags['issued-from'], flags['issued-to']]
    const read = optionalRange({ from, to }, rule, now)
    if (isChecked) problems.check(() => read(null))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    const range = isChecked ? read(timezone) : null
    const sent = isChecked ? wireRange(range) : uncheckedRange({ from, to }, { now, timezone })
    if (range && sent) await whisper(`window: ${sent.from} to ${sent.to}`)
    if (isChecked) await noteClockChanges({ '--issued-from': from, '--issued-to': to }, { now, timezone }, warn)
    const query = {
      Sku: flags.sku,
      IssueDateUtcStart: sent?.from,
      IssueDateUtcEnd: sent?.to,
      IncludeCancelled: flags['include-cancelled'] ? true : undefined,
      IncludeRedeemed: flags['include-redeemed'] ? true : undefined,
      IncludeExpired: flags['include-expired'] ? true : undefined,
    }
    const ofSku = flags.sku && `with SKU ${JSON.stringify(flags.sku)}`
    const words = [range && `issued ${describeRange(range, timezone)}`, ofSku]
    const scope = { words: words.filter(Boolean).join(' '), limit: paging.limit, hides: hiddenCards(flags) }
    await show.list(await service.pages(listGiftCards, { query }, paging), { ...giftCardList, scope })
  }
}
