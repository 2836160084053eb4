import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, type RawRequest, startRawServer } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'
import { ids, outcomes, sale } from './importing.ts'

function fileOf(count: number): string {
  const file = join(freshDirectory(), 'sales.ndjson')
  const lines = ids(count).map((id) => `${sale(id)}\n`)
  writeFileSync(file, lines.join(''))
  return file
}

const idOf = ({ body }: RawRequest) => (JSON.parse(body) as { origin: { saleId: string } }).origin.saleId

test('a highly concurrent import respects a rate limit once the service has announced the limit', async () => {
  // The announced window is longer than the enforced one. This prevents rejections if a busy machine sends requests
  // unevenly.
  const [windowMs, namedMs] = [500, 2500]
  const most = 20
  const taken: number[] = []
  const accepted: string[] = []
  const refused: string[] = []
  const server = await startRawServer((request) => {
    const now = performance.now()
    while ((taken[0] ?? now) < now - windowMs) taken.shift()
    if (taken.length >= most) {
      refused.push(idOf(request))
      return answers(429, { message: `You may only perform this action ${most} times every ${namedMs} milliseconds` })
    }
    taken.push(now)
    accepted.push(idOf(request))
    return answers(200, {})
  })
  const run = await server.run(['sales', 'import', fileOf(60), '--concurrency', '32'])
  expect(run.code, run.stderr).toBe(0)
  expect(accepted.sort()).toEqual(ids(60).sort())
  // Only requests that were sent before partner knew the limit are rejected: at most 32, and each sale at most once.
  expect(refused.sort()).toEqual([...new Set(refused)])
  expect(refused.length).toBeLessThanOrEqual(32)
})

test('after a 429 that does not specify a limit, an import sends one sale at a time until one is accepted', async () => {
  const asked: string[] = []
  let underWay = 0
  let mostUnderWay = 0
  let refusals = 6
  const server = await startRawServer((request) => {
    asked.push(idOf(request))
    underWay++
    if (asked.length > 4) mostUnderWay = Math.max(mostUnderWay, underWay)
    return (socket, about) => {
      // Delay the response, so that a request sent too early overlaps with this one.
      setTimeout(() => {
        underWay--
        const isRefused = asked.length > 1 && refusals-- > 0
        answers(isRefused ? 429 : 200, isRefused ? 'no' : {})(socket, about)
      }, 20)
    }
  })
  const run = await server.run(['sales', 'import', fileOf(6), '--concurrency', '3', '--retries', '6'])
  expect(run.code, run.stderr).toBe(0)
  expect(mostUnderWay).toBeLessThanOrEqual(3)
  expect(new Set(asked).size).toBe(6)
})

test('an import that is rate-limited for too long exits with code 7, leaves no unknown outcomes and can be resumed', async () => {
  let isClosed = true
  const accepted: string[] = []
  const server = await startRawServer((request) => {
    if (isClosed && accepted.length > 0) return answers(429, 'no', { 'retry-after': '3600' })
    accepted.push(idOf(request))
    return answers(200, {})
  })
  const file = fileOf(9)
  const env = { ...freshHome(), ...server.env }
  const ended = await runPartner(['sales', 'import', file, '-o', 'ndjson'], { env })
  expect(reportedError(ended)).toMatchObject({ code: 'RATE_LIMITED', exitCode: 7 })
  expect(outcomes(ended)).toEqual([[1, 'T-1', 'accepted']])
  isClosed = false
  expect(await runPartner(['sales', 'import', file], { env })).toMatchObject({ code: 0 })
  expect(accepted.sort()).toEqual(ids(9).sort())
  expect((await runPartner('operations list --json', { env })).stdout).toBe('[]\n')
})

test('an import stops early if the service no longer responds, to keep the number of unknown outcomes small', async () => {
  let asked = 0
  const server = await startRawServer(() => {
    asked++
    return asked === 1 ? answers(200, {}) : (socket) => void socket.resetAndDestroy()
  })
  const ended = await server.run(['sales', 'import', fileOf(40), '--retries', '0', '-o', 'ndjson'])
  const message = expect.stringContaining('stopped: the outcome of the last 10 lines')
  expect(reportedError(ended)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, message })
  expect(outcomes(ended).length).toBeLessThan(20)
})
