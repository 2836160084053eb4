import type { WireReply } from '../../http/transport.ts'
import { PAGE_HEADERS } from './replies.ts'
import type { Watch } from './watch.ts'

/**
 * A stream of server-sent events: `change`, with the names of the parts that may look otherwise. It ends when the browser leaves or
 * the sandbox closes; what changes while the browser is slow comes as one.
 */
export function changesReply(watch: Watch, left: AbortSignal, closing: AbortSignal): WireReply {
  return {
    status: 200,
    // With its own connection, which does not outlive it: the sandbox need not wait for it when it closes.
    headers: { ...PAGE_HEADERS, 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' },
    body: changes(watch, AbortSignal.any([left, closing])),
  }
}

async function* changes(watch: Watch, end: AbortSignal): AsyncGenerator<Uint8Array> {
  const waiting = new Set<string>()
  let wake = () => {}
  const unlisten = watch.listen((names) => {
    for (const name of names) waiting.add(name)
    wake()
  })
  const onEnd = () => wake()
  end.addEventListener('abort', onEnd)
  try {
    yield Buffer.from('retry: 1000\n\n')
    while (!end.aborted) {
      if (waiting.size > 0) {
        const names = [...waiting].join(' ')
        waiting.clear()
        yield Buffer.from(`event: change\ndata: ${names}\n\n`)
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    unlisten()
    end.removeEventListener('abort', onEnd)
  }
}
