import { CALL_FLAGS, flag, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsStatement extends PartnerCommand {
  static override summary = 'Say what is owed on gift cards, and how that came about between two days.'
  static override description =
    `Without --copy it asks the service: what is left on Active and PendingPostage cards, by status, age and month of expiry. With --copy it calls nobody, and compares two dated snapshots of giftcards sync: opening + issued - redeemed - cancelled - expired = closing, with each movement by card. TIME is as in bookings list.

It holds what this machine redeemed and cancelled against what the service shows, and ends with exit 11 when the service lacks some of that. What others redeemed, such as the POS next door, is named. What the service does not tell is said, and never guessed. With --profiles, a table has a row for each venue and one for all of them, and the details of each venue follow.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> giftcards redeem GIFT1-00000100-AAAA --amount 25 --yes && <%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> <%= command.id %> --copy cards.db',
    '<%= config.bin %> <%= command.id %> --json --query owed.amount',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    copy: flag('TARGET', 'The snapshots: x.db or postgres://…, as of giftcards sync --to.'),
    source: flag('NAME', "With --copy: whose gift cards (default: the profile's name)."),
    from: flag('TIME', 'With --copy: open with the snapshot at or before TIME (default: the one before the last).'),
    to: flag('TIME', 'With --copy: close with the snapshot at or before TIME (default: the last).'),
  }

  async run(): Promise<void> {
    const opened = await this.open(GiftcardsStatement)
    const { flags } = opened
    if (flags.copy !== undefined)
      return (await import('../../features/giftcards/statement/period.ts')).showPeriod(opened, flags.copy)
    const problems = new Problems()
    for (const [name, value] of Object.entries({ source: flags.source, from: flags.from, to: flags.to }))
      if (value !== undefined)
        problems.add(`--${name} needs --copy TARGET`, 'make a copy, and name it: partner giftcards sync --to cards.db')
    problems.throwIfAny()
    await (await import('../../features/giftcards/statement/liability.ts')).showNow(opened)
  }
}
