import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, hangs, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'

const IDS = ['C-1', 'C-2', 'C-3', 'C-4', 'C-5']
const outcomesOf = (stdout: string) => parseNdjson(stdout).map(({ outcome }) => outcome)

describe('customers unsubscribe --journal', () => {
  test('customers unsubscribe --journal continues where a killed run stopped', async () => {
    const server = await startRawServer((_, earlier) => (earlier.length === 2 ? hangs : answers(200)))
    const env = { ...freshHome(), ...server.env }
    const args = ['customers', 'unsubscribe', '-', '--journal', join(freshDirectory(), 'journal'), '-o', 'ndjson']
    const killed = startPartner(args, { env, input: IDS.join('\n') })
    await until(() => server.requests.length === 3)
    killed.process.kill('SIGKILL')
    await killed.ended
    const again = await runPartner(args, { env, input: IDS.join('\n') })
    expect(again).toMatchObject({ code: 0, stderr: '3 unsubscribed, 2 unsubscribed in earlier runs\n' })
    expect(outcomesOf(again.stdout)).toEqual(IDS.map(() => 'unsubscribed'))
    expect(server.requests).toHaveLength(6)
  })

  test('customers unsubscribe --journal retries the customers that failed', async () => {
    const server = await startRawServer([answers(404, { message: 'No.' }), answers(200)])
    const env = { ...freshHome(), ...server.env }
    const args = ['customers', 'unsubscribe', ...IDS.slice(0, 2), '--journal', join(freshDirectory(), 'journal')]
    const first = await runPartner([...args, '-o', 'ndjson'], { env })
    expect(reportedError(first)).toMatchObject({ code: 'PARTIAL_FAILURE', exitCode: 11 })
    expect(outcomesOf(first.stdout)).toEqual(['failed', 'unsubscribed'])
    expect(await runPartner(args, { env })).toMatchObject({ code: 0 })
    expect(server.requests).toHaveLength(3)
  })

  test('sales import refuses a journal written by customers unsubscribe', async () => {
    const server = await startRawServer([answers(200)])
    const env = { ...freshHome(), ...server.env }
    const journal = join(freshDirectory(), 'journal')
    const done = await runPartner(['customers', 'unsubscribe', ...IDS, '--journal', journal], { env })
    expect(done).toMatchObject({ code: 0 })
    const file = join(freshDirectory(), 'sales.ndjson')
    writeFileSync(file, '{"origin":{"saleId":"T-1"},"staff":{"id":"a"},"table":{"seats":1}}\n')
    const before = readFileSync(journal, 'utf8')
    const run = await runPartner(['sales', 'import', file, '--journal', journal], { env })
    expectRefusal(run, { code: 2, says: /belongs to customers unsubscribe to .* but this is sales import/ })
    expect(readFileSync(journal, 'utf8')).toBe(before)
  })
})

test('customers unsubscribe sends one request at a time by default', async () => {
  let pending = 0
  let maxPending = 0
  const server = await startRawServer(() => {
    maxPending = Math.max(maxPending, ++pending)
    return (socket, request) => {
      setImmediate(() => {
        pending--
        answers(200)(socket, request)
      })
    }
  })
  const env = { ...freshHome(), ...server.env }
  expect(await runPartner(['customers', 'unsubscribe', ...IDS], { env })).toMatchObject({ code: 0 })
  expect(maxPending).toBe(1)
})

test('customers unsubscribe refuses --concurrency 0', async () => {
  const env = { ...freshHome(), PARTNER_BASE_URL: 'http://127.0.0.1:1', PARTNER_API_KEY: 'k' }
  const args = ['customers', 'unsubscribe', ...IDS, '--concurrency', '0']
  expectRefusal(await runPartner(args, { env }), {
    code: 2,
    says: '--concurrency must be a whole number from 1 to 64',
  })
})

test('customers unsubscribe exits with code 8 if the service is unreachable', async () => {
  const env = { ...freshHome(), PARTNER_BASE_URL: 'http://127.0.0.1:1', PARTNER_API_KEY: 'k' }
  expect(await runPartner(['customers', 'unsubscribe', ...IDS, '--retries', '0'], { env })).toMatchObject({ code: 8 })
})
