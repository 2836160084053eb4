import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxState } from '../../sandbox/state.ts'
import type { PartName } from './whole.ts'

const LOOK_EVERY_MS = 300

const STORE_PARTS: readonly PartName[] = ['diary', 'deliveries', 'cards', 'faults', 'clock', 'details']
const TIME_PARTS: readonly PartName[] = ['days', 'diary', 'cards', 'clock']

/**
 * Yields `change` events with the names of changed parts, until `end` is aborted. Combines changes if the browser reads
 * slowly.
 */
export async function* streamChanges(state: SandboxState, end: AbortSignal): AsyncGenerator<Uint8Array> {
  let before = readVersions(state)
  yield Buffer.from('retry: 1000\n\n')
  for (;;) {
    await pause(LOOK_EVERY_MS, undefined, { signal: end, ref: false }).catch(() => undefined)
    if (end.aborted) return
    const changed = new Set<PartName>()
    try {
      const { store, journal, minute } = before
      before = readVersions(state)
      if (before.store !== store) for (const name of STORE_PARTS) changed.add(name)
      if (before.journal !== journal) changed.add('journal')
      if (before.minute !== minute) for (const name of TIME_PARTS) changed.add(name)
    } catch (error) {
      state.report(error)
    }
    if (changed.size > 0) yield Buffer.from(`event: change\ndata: ${[...changed].join(' ')}\n\n`)
  }
}

function readVersions(state: SandboxState) {
  return {
    store: `${state.store.foreignVersion} ${state.store.ownVersion}`,
    journal: state.journal.mark,
    minute: Math.floor(state.settings().clock.now() / 60_000),
  }
}
