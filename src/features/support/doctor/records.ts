import { existsSync } from 'node:fs'
import { Failure } from '../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { dataDirectory } from '../../../base/storage/directories.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import { SANDBOX_PROFILE } from '../../../client/profiles/profile.ts'
import { isSameService } from '../../../client/same-service.ts'
import { centsText } from '../../../money/amount.ts'
import type { Operation } from '../../../money/operations/operation.ts'
import { OperationStore } from '../../../money/operations/store.ts'
import type { CopyState, ResourceName } from '../../../sync/copy.ts'
import { openTarget, type TargetKind, targetKind } from '../../../sync/open-target.ts'
import { syncStatus } from '../../../sync/watching/status.ts'
import { copyOwner, DISCARDING_STREAM } from '../../shared/copies.ts'
import { type DoctorState, type Examination, isInside, type Section } from './examination.ts'
import { type Finding, fail, failureLine, ok, skip, warn } from './finding.ts'

const [OPERATIONS, SYNC] = ['operations', 'sync'] as const
const SHOWN_OPERATIONS = 5
const RESOURCES = ['bookings', 'customers', 'giftcards', 'sales'] as const
/**
 * The doctor warns about a copy that is more than this many seconds behind. The alert in docs/cron.md uses the same
 * limit.
 */
const BEHIND_SECONDS = 3600

/** Checks for money writes whose outcome is unknown. A write cannot be repeated until its outcome is resolved. */
export const operationsSection: Section = {
  rows: [OPERATIONS],
  needs: ['data directory', 'disk'],
  *examine({ around }, known) {
    const path = OperationStore.pathIn(dataDirectory(around.env))
    // Do not open a store that does not exist, because opening it would create it.
    if (!existsSync(path)) return yield ok(OPERATIONS, 'no money write has been performed yet')
    const store = OperationStore.open(path)
    try {
      const open = [...store.list({ state: 'open' })]
      const here = open.filter((operation) => isOf(operation, known))
      for (const operation of here.slice(0, SHOWN_OPERATIONS))
        yield warn(
          OPERATIONS,
          `${operation.id} is open: the outcome of ${describeWrite(operation)}, started ${formatDuration(Math.max(0, around.now() - operation.startedAt))} ago, is unknown`,
          `partner operations resolve ${quoteShellWord(operation.id)}`,
        )
      if (here.length > SHOWN_OPERATIONS)
        yield warn(
          OPERATIONS,
          `${here.length - SHOWN_OPERATIONS} more are open`,
          'partner operations list --state open',
        )
      const elsewhere = open.length - here.length
      if (here.length === 0)
        yield ok(
          OPERATIONS,
          elsewhere === 0 ? 'none is open' : `no open operations for this service; ${elsewhere} for other services`,
        )
    } finally {
      store.close()
    }
  },
}

/** Returns whether an operation belongs to this service. If the service is unknown, every operation belongs to it. */
function isOf({ service }: Operation, known: DoctorState): boolean {
  if (known.settings === null) return true
  return isInside(known) ? service === SANDBOX_PROFILE : isSameService(service, copyOwner(known.settings).service)
}

function describeWrite({ command, cents }: Operation): string {
  return cents === null ? command : `${command} of ${centsText(cents)}`
}

/** Checks that the copies are up to date and reports which processes have locked them. */
export const syncSection: Section = {
  rows: [SYNC],
  needs: [],
  async *examine(given, known) {
    if (given.syncTargets.length === 0) yield skip(SYNC, 'no copy was given (--sync TARGET)')
    for (const name of given.syncTargets) yield* copyRows(name, given, known)
  },
}

async function* copyRows(name: string, given: Examination, known: DoctorState): AsyncGenerator<Finding> {
  const row = `${SYNC} ${withoutPassword(name)}`
  try {
    const kind = await targetKind(name, false)
    const source = sourceFor(kind, known)
    if (source === null)
      return yield fail(
        row,
        'the profile that this copy belongs to is unknown',
        "add --profile with the name of the copy's profile: partner profiles list",
      )
    const states = await statesOf(name, kind, source, given)
    const status = `partner bookings sync status --to ${quoteShellWord(withoutPassword(name))}`
    if (states.length === 0)
      return yield warn(
        row,
        source === '' ? 'the copy does not exist yet' : `it does not contain a copy for ${source} yet`,
        status,
      )
    for (const state of states) yield copyRow(row, state, status, given.around.now())
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    yield fail(row, failureLine(error), error.hint ?? null)
  }
}

/**
 * Returns the source name that `sync` gives to a copy: the name of the profile or service. If no profile is in use,
 * returns '' for a file and `null` for a database.
 */
function sourceFor(kind: TargetKind, { settings }: DoctorState): string | null {
  const { profile = null, service = null } = settings ? copyOwner(settings) : {}
  // No source name is needed for a file, because the file contains it.
  if (profile === null && kind === 'file') return ''
  return profile ?? (kind === 'stream' ? service : null)
}

/**
 * Returns the states of the copies in a target. A database can contain one copy for each resource. A file contains one
 * copy.
 */
async function statesOf(name: string, kind: TargetKind, source: string, given: Examination): Promise<CopyState[]> {
  const resources: readonly ResourceName[] = kind === 'file' ? ['bookings'] : RESOURCES
  const states: CopyState[] = []
  for (const resource of resources) {
    const target = await openTarget(name, kind, { resource, source, env: given.around.env, stdout: DISCARDING_STREAM })
    const state = await target.state().finally(() => target.close())
    if (state !== null && (state.cursorMs !== null || state.holder !== null)) states.push(state)
  }
  return states
}

function copyRow(row: string, state: CopyState, look: string, nowMs: number): Finding {
  const { resource, source } = state
  const { lagSeconds, rows, holder } = syncStatus(state, { source, resource, nowMs })
  const next = look.replace('bookings', resource)
  const held = holder === null ? 'not locked' : `locked by ${holder.who}${holder.since ? ` since ${holder.since}` : ''}`
  if (lagSeconds === null) return warn(row, `${resource}: no sync has finished yet; ${held}`, next)
  const text = `${resource}: ${formatDuration(lagSeconds * 1000)} behind, ${rows} rows; ${held}`
  return lagSeconds > BEHIND_SECONDS ? warn(row, text, next) : ok(row, text)
}

function withoutPassword(name: string): string {
  return name.replace(/^(postgres(?:ql)?:\/\/[^:/?#@]*):[^@]*@/, '$1@')
}
