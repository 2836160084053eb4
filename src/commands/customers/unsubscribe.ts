import { MAX_CONCURRENCY, unsubscribe } from '../../features/customers/unsubscribe.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, flag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class CustomersUnsubscribe extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Unsubscribe customers from marketing emails.'
  static override description =
    'Several customers are unsubscribed one after the other, with a result line for each; the exit code is 11 if any of them failed. With -, IDs are read from standard input, one per line. It is safe to run the command again; with --journal, it continues where it stopped.'
  static override usage = 'customers unsubscribe ID…|- [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> C-1001',
    '<%= config.bin %> <%= command.id %> C-1001 C-1002 C-1003 -o ndjson',
    '<%= config.bin %> customers list --search charlotte --query "[].id" --raw | <%= config.bin %> <%= command.id %> -',
  ]
  static override args = {
    id: requiredArgument('customer ID, as customers list prints it, or - for standard input; may be repeated'),
  }
  static override strict = false
  static override baseFlags = CALL_FLAGS
  static override flags = {
    concurrency: flag('N', `How many customers to unsubscribe at the same time, 1 to ${MAX_CONCURRENCY} (default: 1).`),
    journal: flag('FILE', 'Record processed customers in this file and skip them on the next run.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(CustomersUnsubscribe)
    await unsubscribe(opened.words, opened.flags, opened)
  }
}
