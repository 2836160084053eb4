import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Running } from '../support/partner.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { words } from '../support/words.ts'

const RECORD = JSON.stringify({ bookingId: 'BK-1', notes: 'n'.repeat(1000) })

/** Says so when the pipe takes nothing more. */
const TELLS_FULL = `const { write } = process.stdout
process.stdout.write = function (...args) {
  const hasRoom = write.apply(this, args)
  if (!hasRoom) process.stderr.write('full\\n')
  return hasRoom
}
`

/** From then on, short times pass as ever, and a limit of seconds never comes. */
const NO_LIMIT_PASSES = `const { setTimeout } = globalThis
globalThis.setTimeout = (work, ms, ...args) => setTimeout(work, ms > 1000 ? 2 ** 30 : ms, ...args)
`

/** A list without end, into a pipe that nobody reads; comes back when the tool has filled it. */
async function stalled(preload = ''): Promise<Running> {
  const server = await startRawServer([
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"bookings":[')
      const more = () => {
        while (!socket.destroyed && socket.write(`${RECORD},`.repeat(20)));
      }
      socket.on('drain', more)
      more()
    },
  ])
  const list = startPartner(words('bookings list --from today -o ndjson --timeout 10m'), {
    env: server.env,
    stdout: 'unread',
    preload: TELLS_FULL + preload,
  })
  await until(() => list.said.stderr.includes('full'))
  return list
}

async function textOf(stream: Readable | null): Promise<string> {
  let text = ''
  for await (const chunk of stream?.setEncoding('utf8') ?? []) text += String(chunk)
  return text
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a command whose reader takes nothing: exit 130', async (signal) => {
  const { process } = await stalled()
  process.kill(signal)
  expect(await once(process, 'exit')).toEqual([130, null])
})

test('a reader that was only slow still gets whole lines', async () => {
  const { process } = await stalled()
  process.kill('SIGTERM')
  const [text, exit] = await Promise.all([textOf(process.stdout), once(process, 'exit')])
  expect(exit).toEqual([130, null])
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n')) expect(line).toBe(RECORD)
})

test('a second signal does not wait as long as the first', async () => {
  const { process } = await stalled(NO_LIMIT_PASSES)
  process.kill('SIGTERM')
  process.kill('SIGINT')
  expect(await once(process, 'exit')).toEqual([130, null])
})
