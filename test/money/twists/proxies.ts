import type { ProxyKind } from '../commit-server.ts'
import type { History } from '../history.ts'
import { addAnyIntent, pickLoss, type Twists } from './twist.ts'

/** Checks that a write through a proxy of the given kind still succeeds. */
async function through(history: History, kind: ProxyKind): Promise<void> {
  const intent = addAnyIntent(history)
  history.server.proxy.kind = kind
  history.server.proxy.performs = history.random.happens(0.5)
  if (intent.write.command === 'sales create') {
    // Lose the first response to a sale, so that partner looks up the sale before resending it.
    history.retries = 1
    history.faults(intent, pickLoss(history, intent, ['before']))
  }
  history.expectOutcome(await history.attempt(intent), 'applied')
}

export const PROXIES: Twists = {
  'a proxy that sends the response to a read request twice': (history) => through(history, 'repeats'),
  'a server that closes the connection after each response': (history) => through(history, 'closes'),
  'an unsolicited 100 Continue': (history) => through(history, 'continues'),
}
