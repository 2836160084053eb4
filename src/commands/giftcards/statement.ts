import { CALL_FLAGS, flag, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsStatement extends PartnerCommand {
  static override summary = 'Show the amount owed on gift cards and how it changed between two days.'
  static override description =
    `Without --copy, the command reads the balances of Active and PendingPostage cards from the service, and adds them up by status, age and month of expiry. With --copy, it makes no requests, and compares two dated snapshots from giftcards sync: opening + issued - redeemed - cancelled - expired = closing, with the movements of each card. TIME has the same format as in bookings list.

It compares the redemptions and cancellations made on this machine with the service's cards, and exits with code 11 if the service lacks any of them. It lists redemptions made elsewhere, such as on another POS. It says what the service does not report, and never guesses. With --profiles, a table has one row per venue and one for the total, followed by the details of each venue.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> giftcards redeem GIFT1-00000100-AAAA --amount 25 --yes && <%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> <%= command.id %> --copy cards.db',
    '<%= config.bin %> <%= command.id %> --json --query owed.amount',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    copy: flag('TARGET', 'The snapshots: x.db or postgres://…, written by giftcards sync --to.'),
    source: flag('NAME', "With --copy: the source of the gift cards (default: the profile's name)."),
    from: flag(
      'TIME',
      'With --copy: start the period at the most recent snapshot at or before TIME (default: the second most recent).',
    ),
    to: flag(
      'TIME',
      'With --copy: end the period at the most recent snapshot at or before TIME (default: the most recent).',
    ),
  }

  async run(): Promise<void> {
    const opened = await this.open(GiftcardsStatement)
    const { flags } = opened
    if (flags.copy !== undefined)
      return (await import('../../features/giftcards/statement/period.ts')).showPeriod(opened, flags.copy)
    const problems = new Problems()
    for (const [name, value] of Object.entries({ source: flags.source, from: flags.from, to: flags.to }))
      if (value !== undefined)
        problems.add(`--${name} needs --copy TARGET`, 'to make a copy: partner giftcards sync --to cards.db')
    problems.throwIfAny()
    await (await import('../../features/giftcards/statement/liability.ts')).showNow(opened)
  }
}
