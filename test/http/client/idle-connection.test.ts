import { expect, test } from 'vitest'
import { answers, resets, startRawServer } from '../../support/raw-server.ts'
import { words } from '../../support/words.ts'

test('bookings update-status succeeds even if the service has closed the idle connection', async () => {
  const used = new WeakSet()
  const server = await startRawServer((request) => (socket) => {
    if (used.has(socket)) return resets(socket, request)
    used.add(socket)
    const body = request.method === 'GET' ? [{ code: 'SEATED', name: 'Seated' }] : { bookingId: 'BK-1' }
    return answers(200, body)(socket, request)
  })
  const run = await server.run([...words('bookings update-status BK-1 SEATED --json')])
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-1"}\n' })
  expect(server.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
})
