import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cleanEnvironment, NODE, PARTNER } from '../support/partner.ts'
import { startRawServer } from '../support/raw-server.ts'

const RECORD = JSON.stringify({ bookingId: 'BK-1', notes: 'n'.repeat(1000) })

/** A list without end, into a pipe that nobody reads; comes back when the tool has filled it. */
async function stalled() {
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
  const args = ['bookings', 'list', '--from', 'today', '-o', 'ndjson']
  const child = spawn(NODE, [PARTNER, ...args], {
    env: cleanEnvironment(server.env),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 15_000,
    killSignal: 'SIGKILL',
  })
  child.stdout.pause()
  await delay(700)
  return child
}

async function textOf(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk)
  return text
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a command whose reader takes nothing: exit 130', async (signal) => {
  const child = await stalled()
  const started = performance.now()
  child.kill(signal)
  const [code] = await once(child, 'exit')
  expect(code).toBe(130)
  expect(performance.now() - started).toBeLessThan(4000)
})

test('a reader that was only slow still gets whole lines', async () => {
  const child = await stalled()
  child.kill('SIGTERM')
  const [text, [code]] = await Promise.all([textOf(child.stdout), once(child, 'exit')])
  expect(code).toBe(130)
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n')) expect(line).toBe(RECORD)
})

test('a second signal does not wait', async () => {
  const child = await stalled()
  child.kill('SIGTERM')
  await delay(100)
  const started = performance.now()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(130)
  expect(performance.now() - started).toBeLessThan(1000)
})
