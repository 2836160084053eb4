import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DriftEntry } from '../../../../src/features/support/output.ts'
import { freshHome, runPartner } from '../../../support/partner.ts'
import { answers, startRawServer } from '../../../support/raw-server.ts'
import { startSharedSandbox } from '../../../support/sandbox-process.ts'
import { startAlteringProxy } from '../../../support/spoiled-answers.ts'
import { IS_WINDOWS } from '../../../support/windows.ts'

const sandbox = await startSharedSandbox()

/** Starts a proxy for a sandbox that rejects requests to some paths and records all requests. */
async function startRejectingSandbox(refused: RegExp) {
  const asked: string[] = []
  const { baseUrl } = await startAlteringProxy(sandbox.baseUrl, {
    request: ({ method, target }) => {
      asked.push(`${method} ${target}`)
      return refused.test(target) ? { status: 403, body: { message: 'Forbidden' } } : undefined
    },
    answer: (_, body) => body,
  })
  const env = { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  return { asked, drift: (...flags: readonly string[]) => runPartner(['drift', ...flags], { env }) }
}

test('drift requests only a few records, sends no request twice, and writes nothing', async () => {
  const { asked, drift } = await startRejectingSandbox(/^$/)
  expect(await drift()).toMatchObject({ code: 0 })
  expect(asked.filter((request) => !request.startsWith('GET '))).toEqual([])
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.length).toBeLessThan(20)
  for (const page of asked.filter((request) => request.includes('StartIndex'))) expect(page).toContain('Limit=20')
})

test('drift reports which requests the service rejected, and still checks the other responses', async () => {
  const { drift } = await startRejectingSandbox(/^\/(?:Sales|GiftCards\/)/)
  const done = await drift('-o', 'json', '--fail-on', 'assumed')
  expect(done).toMatchObject({ code: 0 })
  expect(done.stderr).toContain('GET /Sales could not be checked: Forbidden')
  const entries = JSON.parse(done.stdout) as DriftEntry[]
  for (const endpoint of ['GET /Sales', 'GET /GiftCards/{cardNumber}'])
    expect(entries.filter((entry) => entry.endpoint === endpoint)).toMatchObject([
      { member: '(answer)', verdict: 'not-seen', times: 0 },
    ])
  expect(entries).toContainEqual(expect.objectContaining({ endpoint: 'GET /GiftCards', verdict: 'confirmed' }))
})

test('drift fails if the service rejects the API key or every request', async () => {
  const { drift } = await startRejectingSandbox(/./)
  expect(await drift()).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('Forbidden') })
  const server = await startRawServer([answers(401, { message: 'Unauthorized' })])
  expect(await server.run(['drift'])).toMatchObject({ code: 4, stdout: '' })
  expect(server.requests).toHaveLength(1)
})

test('drift prints only differences unless --all is given, and prints its report even if it cannot save the responses', async () => {
  const { drift } = await startRejectingSandbox(/^$/)
  const [short, all] = [await drift(), await drift('--all')]
  expect(short).toMatchObject({ stdout: '', stderr: expect.stringContaining('Nothing that was seen differs') })
  expect(short.stderr).toMatch(/^\d+ confirmed, 0 contradicted, 0 unknown members, \d+ not seen yet$/m)
  expect(all.stdout).toMatch(/^not-seen +POST \/Reservations/m)
  expect(all.stdout).toMatch(/^confirmed +GET \/Bookings\/{id} +people +whole number/m)

  const home = freshHome()
  mkdirSync(home.PARTNER_DATA_DIR, { recursive: true })
  writeFileSync(join(home.PARTNER_DATA_DIR, 'shapes'), '')
  const env = { ...home, PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  const unkept = await runPartner(['drift', '-o', 'ndjson'], { env })
  // Windows treats a path below a regular file as missing, so the read succeeds and only the write fails.
  const says = IS_WINDOWS ? 'was not saved for drift accept' : 'the recorded responses are not included'
  expect(unkept).toMatchObject({ code: 0, stderr: expect.stringContaining(says) })
  expect(unkept.stdout.split('\n').length).toBeGreaterThan(300)
  expect(await runPartner(['drift', '--forget', '-q'], { env })).toMatchObject({ code: 0 })
})
