import { flag } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { seededCard, seededList } from '../../views/sandbox/venue.ts'
import { sandboxTime } from './_flags.ts'
import { progressLine } from './_progress.ts'
import { TARGET_FLAGS, targetOf } from './_target.ts'

const MOST = 5_000_000

export default class SandboxSeed extends PartnerCommand {
  static override summary = 'Fill the sandbox with a great many bookings, customers and gift cards.'
  static override description =
    'The same seed and numbers on the same days make the same records, and seeding twice changes nothing. The bookings are spread over the days from --from to --to: two years back and three months ahead unless given.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --bookings 100000 --customers 5000 --giftcards 2000',
    '<%= config.bin %> <%= command.id %> --bookings 500 --from 2026-12-24 --to 2026-12-31 --seed 7 --data ./venue',
  ]
  static override flags = {
    bookings: flag('N', 'So many bookings.'),
    customers: flag('N', 'So many customers.'),
    giftcards: flag('N', 'So many gift cards, in every status and format.'),
    from: flag('TIME', 'The first day of the bookings.'),
    to: flag('TIME', 'The last day of the bookings.'),
    seed: flag('S', 'The same number makes the same records (default: 1).'),
    ...TARGET_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxSeed)
    const problems = new Problems()
    const count = (name: 'bookings' | 'customers' | 'giftcards') =>
      problems.wholeNumber(`--${name}`, flags[name], 0, MOST)
    const counts = { bookings: count('bookings'), customers: count('customers'), giftcards: count('giftcards') }
    const seed = problems.wholeNumber('--seed', flags.seed, 0, 4_294_967_295)
    const now = host.now()
    const time = (name: 'from' | 'to') =>
      flags[name] === undefined ? undefined : sandboxTime(flags[name], `--${name}`, now, problems)
    const [from, to] = [time('from'), time('to')]
    if (flags.bookings === undefined && flags.customers === undefined && flags.giftcards === undefined)
      problems.add('how many? Give --bookings, --customers or --giftcards', 'for example --bookings 100000')
    if (from !== undefined && to !== undefined && from > to)
      problems.add(`--from ${flags.from} is after --to ${flags.to}`)
    if (flags.bookings === undefined && (from !== undefined || to !== undefined))
      problems.add('--from and --to are the days of the bookings: give --bookings')
    const target = await targetOf(flags, host.env, problems)
    const control = await target.open('to-change')
    const progress = progressLine(host)
    const started = performance.now()
    try {
      const { signal } = host
      const written = await control.seed({ ...counts, from, to, seed, signal, onProgress: progress.show })
      progress.clear()
      const seconds = Math.round((performance.now() - started) / 10) / 100
      await show.one({ ...written, seconds }, { card: seededCard, list: seededList })
    } finally {
      progress.clear()
      await control.close()
    }
  }
}
