import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxState } from '../../sandbox/state.ts'
import type { PartName } from './whole.ts'

const LOOK_EVERY_MS = 300

const OF_STORE: readonly PartName[] = ['diary', 'deliveries', 'cards', 'faults', 'clock', 'details']
const OF_TIME: readonly PartName[] = ['days', 'diary', 'cards', 'clock']

/** Yields server-sent `change` events with the names of the changed parts, until `end` aborts. */
export async function* changesOf(state: SandboxState, end: AbortSignal): AsyncGenerator<Uint8Array> {
  let before = readMarks(state)
  yield Buffer.from('retry: 1000\n\n')
  for (;;) {
    await pause(LOOK_EVERY_MS, undefined, { signal: end, ref: false }).catch(() => undefined)
    if (end.aborted) return
    const changed = new Set<PartName>()
    try {
      const { store, journal, minute } = before
      before = readMarks(state)
      if (before.store !== store) for (const name of OF_STORE) changed.add(name)
      if (before.journal !== journal) changed.add('journal')
      if (before.minute !== minute) for (const name of OF_TIME) changed.add(name)
    } catch (error) {
      state.report(error)
    }
    if (changed.size > 0) yield Buffer.from(`event: change\ndata: ${[...changed].join(' ')}\n\n`)
  }
}

function readMarks(state: SandboxState) {
  return {
    store: `${state.store.foreignVersion} ${state.store.ownVersion}`,
    journal: state.journal.mark,
    minute: Math.floor(state.settings().clock.now() / 60_000),
  }
}
