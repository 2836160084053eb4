import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run, json } = await venueOfThisFile()

describe('giftcards list', () => {
  test('giftcards list omits cancelled, redeemed and expired cards by default', async () => {
    const shown = await json('giftcards', 'list')
    expect(shown.every(({ status }: { status: string }) => !/Cancelled|Redeemed|Expired/.test(status))).toBe(true)
    const all = await json('giftcards', 'list', '--include-cancelled', '--include-redeemed', '--include-expired')
    expect(all.length).toBeGreaterThan(shown.length)
  })

  test('giftcards list says which cards a table omits and which flags would include them', async () => {
    const flags = ['--include-cancelled', '--include-redeemed', '--include-expired']
    const said = async (...args: string[]) => (await run('giftcards', 'list', ...args)).stderr
    expect(await said()).toBe(`Not shown: cancelled, redeemed or expired cards (${flags.join(' ')})\n`)
    expect(await said(...flags.slice(0, 2))).toBe('Not shown: expired cards (--include-expired)\n')
    expect([await said(...flags), await said('--json')]).toEqual(['', ''])
  })

  test('giftcards list describes the range of issue dates', async () => {
    const { stderr } = await run('giftcards', 'list', '--issued-from', '2001-01-01', '--issued-to', '2001-01-01')
    expect(stderr).toMatch(/^No gift cards issued on Mon 2001-01-01 \(Australia\/Sydney\)\.\n/)
  })

  test('giftcards list reads all pages but stops at --limit', async () => {
    const whole = await run('giftcards', 'list', '-o', 'ndjson')
    expect((await run('giftcards', 'list', '-o', 'ndjson', '--page-size', '3')).stdout).toBe(whole.stdout)
    const two = await run('giftcards', 'list', '-o', 'ndjson', '--limit', '2')
    expect(two.stdout).toBe(`${whole.stdout.split('\n').slice(0, 2).join('\n')}\n`)
  })

  test('giftcards list prints a message, an empty JSON list or only a CSV header if no card matches', async () => {
    const table = await run('giftcards', 'list', '--sku', 'none')
    expect(table).toMatchObject({ code: 0, stdout: '' })
    expect(table.stderr).toMatch(/^No gift cards with SKU "none"\.\n/)
    expect(await run('giftcards', 'list', '--sku', 'none', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    const csv = await run('giftcards', 'list', '--sku', 'none', '-o', 'csv', '--columns', 'cardNumber')
    expect(csv.stdout).toBe('cardNumber\n')
  })

  test('giftcards list reports all invalid flags together', async () =>
    expectRefusal(await run('giftcards', 'list', '--limit', '0', '--page-size', 'x', '--issued-to', 'today'), {
      code: 2,
      says: /--limit [^\n]+\n {2}--page-size [^\n]+\n {2}--issued-to needs --issued-from/,
    }))
})
