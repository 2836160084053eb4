import { monotonicMs } from '../../base/stopwatch.ts'
import { parseSandboxTime } from '../../features/sandbox/flags.ts'
import { findTarget, TARGET_FLAGS } from '../../features/sandbox/target.ts'
import { seededViews } from '../../features/sandbox/views/venue.ts'
import { type FlagValues, flag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { progressLine } from '../../terminal/output/bulk/transient-line.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const MOST = 5_000_000

const SEED_FLAGS = {
  bookings: flag('N', 'Number of bookings to add.'),
  customers: flag('N', 'Number of customers to add.'),
  giftcards: flag('N', 'Number of gift cards to add, in all statuses and formats.'),
  from: flag('TIME', 'First day of the bookings.'),
  to: flag('TIME', 'Last day of the bookings.'),
  seed: flag('N', 'Seed for the random records; the same seed produces the same records (default: 1).'),
} as const

export default class SandboxSeed extends PartnerCommand {
  static override summary = 'Fill the sandbox with many bookings, customers and gift cards.'
  static override description =
    'The same seed, numbers and days always produce the same records, so running the command again changes nothing. Bookings are spread over the days from --from to --to (default: from two years ago to three months ahead).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --bookings 2000 --customers 500 --giftcards 200',
    '<%= config.bin %> <%= command.id %> --bookings 500 --from 2026-12-24 --to 2026-12-31 --seed 7 --data ./venue',
  ]
  static override flags = { ...SEED_FLAGS, ...TARGET_FLAGS }

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxSeed)
    const problems = new Problems()
    const options = parseSeedFlags(flags, host.now(), problems)
    const target = await findTarget(flags, host.env, problems)
    const progress = progressLine(host)
    const started = monotonicMs()
    try {
      const written = await target.use('to-change', (control) =>
        control.seed({ ...options, signal: host.signal, onProgress: progress.show }),
      )
      progress.clear()
      const seconds = Math.round((monotonicMs() - started) / 10) / 100
      await show.one({ ...written, seconds }, seededViews)
    } finally {
      progress.clear()
    }
  }
}

type SeedFlags = FlagValues<typeof SEED_FLAGS>

/** Reads the flags and adds any problems to a list. `now` is the current time on this machine. */
function parseSeedFlags(flags: SeedFlags, now: number, problems: Problems) {
  const count = (name: 'bookings' | 'customers' | 'giftcards') =>
    problems.wholeNumber(`--${name}`, flags[name], 0, MOST)
  const counts = { bookings: count('bookings'), customers: count('customers'), giftcards: count('giftcards') }
  const seed = problems.wholeNumber('--seed', flags.seed, 0, 4_294_967_295)
  const time = (name: 'from' | 'to') =>
    flags[name] === undefined ? undefined : parseSandboxTime(flags[name], `--${name}`, now, problems)
  const [from, to] = [time('from'), time('to')]
  if (flags.bookings === undefined && flags.customers === undefined && flags.giftcards === undefined)
    problems.add('--bookings, --customers or --giftcards is required', 'for example --bookings 100000')
  if (from !== undefined && to !== undefined && from > to)
    problems.add(`--from ${flags.from} is after --to ${flags.to}`)
  if (flags.bookings === undefined && (from !== undefined || to !== undefined))
    problems.add('--from and --to need --bookings')
  return { ...counts, from, to, seed }
}
