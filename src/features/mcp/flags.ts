import type { Variables } from '../../base/storage/directories.ts'
import type { Amount } from '../../money/amount.ts'
import { parseAddress } from '../../postgres/address.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import { kindToRead } from '../../sync/open-target.ts'
import { type FlagValues, flag, LEDGER_FLAG } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseAmount } from '../../terminal/input/values/amount.ts'

/** Flags that limit what AI agents may do. */
export const MCP_FLAGS = {
  allow: flag('reads|bookings|money', 'What agents may do: only read, change bookings, or also move money.'),
  tools: flag('NAME,…', 'Offer only these tools.'),
  copy: flag('TARGET', 'The copy that agents may read: x.db, x.ndjson, or postgres://….'),
  journal: flag('FILE', 'The webhooks listen journal that agents may read.'),
  'approve-up-to': flag('AMOUNT', 'The largest payment that does not need approval.'),
  'per-day': flag('AMOUNT', "The most that agents may move per day in total (by the venue's time zone)."),
  ...LEDGER_FLAG,
} as const

export type McpFlags = FlagValues<typeof MCP_FLAGS>

/** The values of `--allow`, from the least to the most permissive. */
const ALLOWANCES = ['reads', 'bookings', 'money'] as const

export interface McpLimits {
  readonly allow: (typeof ALLOWANCES)[number]
  /** The names of the tools to offer, or `null` for all that are allowed. */
  readonly tools: readonly string[] | null
  readonly approveUpTo: Amount | null
  readonly perDay: Amount | null
}

/** Parses the flags. Opens no files or connections. Throws a USAGE error that lists all problems. */
export function readMcpFlags(flags: McpFlags, env: Variables): McpLimits {
  const problems = new Problems()
  const allow = ALLOWANCES.find((one) => one === (flags.allow ?? 'reads'))
  if (allow === undefined) problems.add(`--allow must be reads, bookings or money, not ${JSON.stringify(flags.allow)}`)
  const amount = (name: 'approve-up-to' | 'per-day'): Amount | null => {
    const typed = flags[name]
    if (typed === undefined) return null
    if (allow !== undefined && allow !== 'money') problems.add(`--${name} needs --allow money`)
    return problems.check(() => parseAmount(typed, `--${name}`, true)) ?? null
  }
  const approveUpTo = amount('approve-up-to')
  const perDay = amount('per-day')
  const tools = flags.tools?.split(',').map((name) => name.trim()) ?? null
  const odd = tools?.find((name) => !/^[a-z][a-z_]*$/.test(name))
  if (odd !== undefined) problems.add(`--tools must be names such as bookings_list, not ${JSON.stringify(odd)}`)
  const { copy, journal, ledger } = flags
  if (copy !== undefined)
    problems.check(() => (kindToRead(copy, '--copy') === 'postgres' ? parseAddress(copy, env, '--copy') : null))
  if (journal !== undefined && (/^-?$/.test(journal.trim()) || databaseKind(journal) === 'postgres'))
    problems.add('--journal must be the path of a file')
  if (ledger !== undefined) problems.check(() => parseAddress(ledger, env, '--ledger'))
  const limits = allow === undefined ? undefined : { allow, tools, approveUpTo, perDay }
  return problems.valueOrThrow(limits)
}
