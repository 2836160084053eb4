import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory } from '../../support/partner.ts'
import { answers, RAW_KEY, resets, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { sandbox, run } = await venueOfThisFile()

describe('recording with --har', () => {
  interface Entry {
    readonly request: { method: string; url: string; headers: { name: string; value: string }[] }
    readonly response: { status: number; content: { text: string; comment?: string } }
  }
  const freshFile = () => join(freshDirectory(), 'traffic.har')
  const entriesOf = (file: string) => {
    const { log } = JSON.parse(readFileSync(file, 'utf8'))
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'partner' } })
    return log.entries as readonly Entry[]
  }

  test('--har records each request and response without the key, in a file that only its owner can read', async () => {
    const file = freshFile()
    expect(await run('customers', 'list', '--limit', '3', '--page-size', '2', '--har', file)).toMatchObject({ code: 0 })
    const entries = entriesOf(file)
    const queries = entries.map(({ request }) => new URL(request.url).search)
    expect(queries).toEqual(['?Limit=2&StartIndex=0', '?Limit=1&StartIndex=2'])
    expect(entries[0]?.request.headers).toContainEqual({ name: 'x-api-key', value: '••••' })
    expect(JSON.parse(entries[0]?.response.content.text ?? '').items).toHaveLength(2)
    expect(readFileSync(file, 'utf8')).not.toContain(sandbox.apiKey)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('--har records every attempt even if the command fails', async () => {
    const file = freshFile()
    const server = await startRawServer([answers(503, { message: 'Later' }), resets, answers(404, { message: 'Gone' })])
    const done = await server.run(['bookings', 'get', 'BK-1', '--har', file])
    expect(done.code).toBe(3)
    expect(entriesOf(file).map(({ response }) => response.status)).toEqual([503, 0, 404])
  })

  test('--har hides secrets that a service repeats in a response', async () => {
    const file = freshFile()
    const hook = 'hook-secret-0815'
    const said = { message: `bad key ${RAW_KEY}`, securityKey: hook, nested: [{ SecurityToken: hook }] }
    const server = await startRawServer([answers(400, said, { 'set-cookie': 'id=1' })])
    const done = await server.run(
      ['webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/h', '--security-key', 'env:HOOK', '--har', file],
      { env: { HOOK: hook } },
    )
    expect(done.code).toBe(5)
    const text = readFileSync(file, 'utf8')
    for (const secret of [RAW_KEY, hook, 'id=1']) expect(text).not.toContain(secret)
    expect(entriesOf(file)[0]?.request).toMatchObject({ method: 'POST' })
  })

  test('--har hides signatures and the signing secret, even if the secret is in a URL', async () => {
    const file = freshFile()
    const balance = words(`inbound balance GIFT1-00000100-AAAA --param x=${sandbox.signingSecret} --har`)
    expect(await run(...balance, file)).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).not.toContain(sandbox.signingSecret)
    expect(entriesOf(file)[0]?.request.headers).toContainEqual({ name: 'x-partner-signature', value: '••••' })
  })

  test('--har truncates a long response and notes its full size', async () => {
    const file = freshFile()
    const many = Array.from({ length: 30_000 }, (_none, index) => ({ bookingId: `BK-${index}`, notes: 'x'.repeat(60) }))
    const server = await startRawServer([answers(200, { bookings: many })])
    const done = await server.run(['bookings', 'list', '--from', 'today', '-o', 'ndjson', '--har', file])
    expect(done.stdout.split('\n')).toHaveLength(30_001)
    expect(entriesOf(file)[0]?.response.content.comment).toMatch(/^the first 1048576 of \d+ bytes$/)
    expect(statSync(file).size).toBeLessThan(2_000_000)
  })

  test('--har refuses an unwritable file before any request is sent', async () => {
    const server = await startRawServer([answers(200, [])])
    for (const file of ['/no/such/place/x.har', freshDirectory(), ''])
      expectRefusal(await server.run(['bookings', 'statuses', '--har', file]), { code: 2, says: '--har cannot write' })
    expect(server.requests).toEqual([])
  })
})
