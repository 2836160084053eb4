import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Running } from '../support/partner.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { words } from '../support/words.ts'

const RECORD = JSON.stringify({ bookingId: 'BK-1', notes: 'n'.repeat(1000) })

/** A preloaded script that writes `full` to stderr as soon as the stdout pipe is full. */
const REPORT_FULL_PIPE = `const { write } = process.stdout
process.stdout.write = function (...args) {
  const hasRoom = write.apply(this, args)
  if (!hasRoom) process.stderr.write('full\\n')
  return hasRoom
}
`

/** A preloaded script that extends every timer of more than a second to days, so that no time limit expires. */
const DISABLE_TIME_LIMITS = `const { setTimeout } = globalThis
globalThis.setTimeout = (work, ms, ...args) => setTimeout(work, ms > 1000 ? 2 ** 30 : ms, ...args)
`

/** Starts a command that prints an endless list to a pipe without a reader. Returns as soon as the pipe is full. */
async function startStalledList(preload = ''): Promise<Running> {
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
    preload: REPORT_FULL_PIPE + preload,
  })
  await until(() => list.said.stderr.includes('full'))
  return list
}

async function readAll(stream: Readable | null): Promise<string> {
  let text = ''
  for await (const chunk of stream?.setEncoding('utf8') ?? []) text += String(chunk)
  return text
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a command exits with code 130 on %s even if no one reads its output',
  async (signal) => {
    const { process } = await startStalledList()
    process.kill(signal)
    expect(await once(process, 'exit')).toEqual([130, null])
  },
)

test('a slow reader still gets complete lines after SIGTERM', async () => {
  const { process } = await startStalledList()
  process.kill('SIGTERM')
  const [text, exit] = await Promise.all([readAll(process.stdout), once(process, 'exit')])
  expect(exit).toEqual([130, null])
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n')) expect(line).toBe(RECORD)
})

test('a second signal ends a command without waiting for the reader of its output', async () => {
  const { process } = await startStalledList(DISABLE_TIME_LIMITS)
  process.kill('SIGTERM')
  process.kill('SIGINT')
  expect(await once(process, 'exit')).toEqual([130, null])
})
