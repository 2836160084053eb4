import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { runPartner } from '../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../support/postgres.ts'
import { freePort } from '../support/raw-server.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import type { Message } from './running/client.ts'
import { agentVenue, CARD, prepare } from './running/venue.ts'

const sandbox = await startSharedSandbox()

const MONEY = ['--allow', 'money', '--approve-up-to', '10', '--ledger']

/** Expects a call to fail because of the ledger, with this hint in the error and in the text. */
function expectHint({ structuredContent, content, isError }: Message, hint: string): void {
  const [{ text }] = content
  expect(isError, text).toBe(true)
  expect(structuredContent.error).toMatchObject({ code: 'NETWORK_ERROR', outcome: 'not-applied', hint })
  expect(text.split('\n').at(-1)).toBe(`Next: ${hint}`)
}

test('a tool that moves money says what to check if the database of the ledger is not running', async () => {
  const venue = await agentVenue(sandbox)
  const flags = [...MONEY, `postgres://till@127.0.0.1:${await freePort()}/books`]
  const client = await venue.open({ era: 'modern', flags })
  const result = await client.call('giftcards_redeem_prepare', { card: CARD, amount: '1' })
  expectHint(result, 'check that the database is running, then run the command again')
})

test('an error omits a hint that names a flag, because an agent cannot use flags', async () => {
  const client = await (await agentVenue(sandbox)).open({ era: 'modern' })
  const { structuredContent } = await client.call('bookings_list', { from: 'today', updated_from: 'today' })
  expect(structuredContent.error).toMatchObject({ code: 'USAGE' })
  expect(structuredContent.error.hint).toBeUndefined()
})

describe('a ledger from an older release', () => {
  needs(POSTGRES)
  const server = postgresServer()

  test("money_commit shows the SQL statement for upgrading the ledger if the server's database user may not run it", async () => {
    const url = await server.database()
    const role = `agent_${process.pid}`
    const venue = await agentVenue(sandbox, POSTGRES_ENV)
    expect((await runPartner(['operations', 'list', '--ledger', url], { env: venue.env })).code).toBe(0)
    await server.query(
      url,
      `ALTER TABLE partner_ledger.keys DROP COLUMN counted; UPDATE partner_ledger.version SET format = 1;
      DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA partner_ledger TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA partner_ledger TO ${role};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA partner_ledger TO ${role}`,
    )
    try {
      const own = server.url(new URL(url).pathname.slice(1), role)
      const client = await venue.open({ era: 'modern', flags: [...MONEY, own] })
      const before = await venue.balance()
      const result = await client.call('money_commit', { handle: await prepare(client, '1') })
      const statement = 'ALTER TABLE partner_ledger.keys ADD COLUMN counted bigint'
      expectHint(result, `as the user who owns the schema, run: ${statement}`)
      expect(await venue.balance()).toBe(before)
    } finally {
      await server.query(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
    }
  })
})
