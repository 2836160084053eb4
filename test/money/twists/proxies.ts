import type { ProxyKind } from '../commit-server.ts'
import type { History } from '../history.ts'
import { lost, type Twists, wantAny } from './twist.ts'

/** A write through a proxy, after a reading, is done as if there were none. */
async function through(history: History, kind: ProxyKind): Promise<void> {
  const intent = wantAny(history)
  history.server.proxy.kind = kind
  history.server.proxy.performs = history.random.is(0.5)
  if (intent.write.command === 'sales create') {
    // A sale is sent again after a reading when its first answer was lost.
    history.retries = 1
    history.faults(intent, lost(history, intent, ['before']))
  }
  history.must(await history.attempt(intent), 'applied')
}

export const PROXIES: Twists = {
  'a proxy that sends the answer of a reading twice': (history) => through(history, 'repeats'),
  'a server that closes after each answer': (history) => through(history, 'closes'),
  'a 100 Continue that nobody asked for': (history) => through(history, 'continues'),
}
