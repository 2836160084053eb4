import type { ProxyKind } from '../commit-server.ts'
import type { History } from '../history.ts'
import { addAnyIntent, pickLoss, type Twists } from './twist.ts'

/** Expects that a write that follows a reading succeeds through a proxy as it would without one. */
async function through(history: History, kind: ProxyKind): Promise<void> {
  const intent = addAnyIntent(history)
  history.server.proxy.kind = kind
  history.server.proxy.performs = history.random.happens(0.5)
  if (intent.write.command === 'sales create') {
    // A sale is resent after a reading if its first response was lost.
    history.retries = 1
    history.faults(intent, pickLoss(history, intent, ['before']))
  }
  history.expectOutcome(await history.attempt(intent), 'applied')
}

export const PROXIES: Twists = {
  'a proxy that sends the response of a reading twice': (history) => through(history, 'repeats'),
  'a server that closes the connection after each response': (history) => through(history, 'closes'),
  'an unsolicited 100 Continue': (history) => through(history, 'continues'),
}
