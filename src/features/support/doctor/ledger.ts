import { existsSync } from 'node:fs'
import { attempt } from '../../../base/attempt.ts'
import { formatCount } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { dataDirectory } from '../../../base/storage/directories.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { LedgerState } from '../../../money/ledger/examine.ts'
import { OperationStore } from '../../../money/operations/store.ts'
import type { Address } from '../../../postgres/address.ts'
import type { Examination, Section } from './examination.ts'
import { type Finding, fail, failureLine, ok, warn } from './finding.ts'
import { CLOCK_COMMAND } from './service/answer.ts'

const LEDGER = 'ledger'
/** The largest clock difference, in milliseconds, that causes no warning. */
const TOLERATED_OFFSET_MS = 5000
const NOTHING_IS_SENT = 'until this is fixed, no money write is sent'

/**
 * Checks the ledger, the shared record of the money writes of several machines. Returns no rows if no ledger is
 * configured. Does not change the ledger, not even to create missing tables.
 */
export const ledgerSection: Section = {
  rows: [LEDGER],
  needs: [],
  async *examine(given, { settings }) {
    if (!settings?.ledger) return
    const { describeServer, parseAddress } = await import('../../../postgres/address.ts')
    const { value: url, from } = settings.ledger
    const address = parseAddress(url, given.around.env, from)
    const place = `${describeServer(address)}/${address.database}`
    const state = await askLedger(address, given)
    if (state instanceof Failure)
      return yield fail(LEDGER, `${failureLine(state)}; ${NOTHING_IS_SENT}`, state.hint ?? null)
    const refusal = await accessRow(state, address, place)
    if (refusal !== null) return yield refusal
    const isNamedByFlag = given.profile !== undefined || from === '--ledger'
    const list = `partner operations list${isNamedByFlag ? ` --ledger ${quoteShellWord(url)}` : ''}`
    const known = await knownOutcomes(address, given)
    const open = state.content?.open.filter((id) => !known.includes(id)).length ?? 0
    const warnings = [clockRow(state, place), openRow(open, place, list), knownRow(known.length, place, list)]
    const found = warnings.filter((row) => row !== null)
    if (found.length > 0) return yield* found
    yield ok(
      LEDGER,
      state.content === null
        ? `${place} has no ledger yet; the first command that uses it creates it`
        : `${place} can be used (format ${state.content.format}), and no operation is open`,
    )
  },
}

/** Returns a ledger's state, or the failure if it cannot be read. Throws Interrupted. */
async function askLedger(address: Address, { around, timeoutMs }: Examination): Promise<LedgerState | Failure> {
  const { examineLedger } = await import('../../../money/ledger/examine.ts')
  const { ConnectionLost } = await import('../../../postgres/failures.ts')
  const patient = { ...address, connectTimeoutMs: Math.min(address.connectTimeoutMs, timeoutMs) }
  try {
    return await examineLedger(patient, timeoutMs, around.signal)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!(error instanceof ConnectionLost)) return error
    return error.withHint('check the host, the port and any firewall, and that the database is running')
  }
}

/** Returns a row that explains why this machine cannot use the ledger, or `null` if it can. */
async function accessRow(state: LedgerState, address: Address, place: string): Promise<Finding | null> {
  const { mayCreateHint, mayUseHint } = await import('../../../money/ledger/schema.ts')
  const refused = (words: string, next: string) => fail(LEDGER, `${words}; ${NOTHING_IS_SENT}`, next)
  if (state.isReadOnly) return refused(`${place} is read-only`, 'this may be a replica: use the address of the primary')
  if (state.mayUse === null && !state.mayCreate)
    return refused(`${place} has no ledger yet, and "${address.user}" may not create it`, mayCreateHint(address))
  if (state.mayUse === false)
    return refused(`"${address.user}" may not use the ledger in ${place}`, mayUseHint(address))
  return null
}

function clockRow({ aheadMs }: LedgerState, place: string): Finding | null {
  if (Math.abs(aheadMs) <= TOLERATED_OFFSET_MS) return null
  const difference = `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'}`
  return warn(
    LEDGER,
    `this machine's clock is ${difference} the clock of ${place}, so one of the two clocks is wrong. The ledger uses only the database's clock, so no money is at risk`,
    CLOCK_COMMAND,
  )
}

function openRow(count: number, place: string, list: string): Finding | null {
  if (count === 0) return null
  const [are, their] = count === 1 ? ['is', 'its'] : ['are', 'their']
  const words = `${formatCount(count, 'operation')} in ${place} ${are} open: ${their} outcome is unknown`
  return warn(LEDGER, words, `${list} --state open`)
}

function knownRow(count: number, place: string, list: string): Finding | null {
  if (count === 0) return null
  const words = `${place} does not have ${formatCount(count, 'outcome')} from this machine yet`
  return warn(LEDGER, `${words}; the next command that reaches it adds ${count === 1 ? 'it' : 'them'}`, list)
}

/** Returns the IDs of the operations whose outcome is known on this machine but is not in the ledger yet. */
async function knownOutcomes(address: Address, { around }: Examination): Promise<readonly string[]> {
  const path = OperationStore.pathIn(dataDirectory(around.env))
  if (!existsSync(path)) return []
  const { PendingTable } = await import('../../../money/ledger/pending.ts')
  const { describeLedger } = await import('../../../money/ledger/channel.ts')
  // Ignore a damaged operations file, because the `operations` row reports it.
  const store = attempt(() => OperationStore.open(path), null)
  try {
    const pending = store === null ? [] : new PendingTable(store.table, describeLedger(address)).all()
    return pending.filter((id) => store?.table.row(id)?.state !== 'open')
  } finally {
    store?.close()
  }
}
