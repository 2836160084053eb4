import { SYNC_FLAGS } from '../../features/copies/flags.ts'
import { sync } from '../../features/copies/sync.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsSync extends PartnerCommand {
  static override summary = 'Copy all gift cards to a database, with a dated snapshot for each run.'
  static override description =
    'The service cannot list only the cards that changed, so each run reads all of them, including cancelled, redeemed and expired ones, and records which cards appeared, changed or disappeared. TARGET ends in .db (SQLite), or is postgres://USER@HOST/DATABASE.'
  static override examples = ['<%= config.bin %> <%= command.id %> --to venue.db']
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override takesTurns = true
  static override flags = SYNC_FLAGS

  async run(): Promise<void> {
    await sync(await this.open(GiftcardsSync), { resource: RESOURCES.giftcards, view: null })
  }
}
