import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sale } from '../client/bulk/importing.ts'
import { runDoctor } from '../commands/doctor/run-doctor.ts'
import { needs } from '../support/needs.ts'
import { freshDirectory, type Running } from '../support/partner.ts'
import { OWN_POSTGRES, POSTGRES, POSTGRES_ENV, postgresServer } from '../support/postgres.ts'
import type { Treatment } from '../support/query-proxy.ts'
import { freePort } from '../support/raw-server.ts'
import { reportedError } from '../support/refusal.ts'
import { runInTerminal, TERMINAL } from '../support/terminal.ts'
import { CARD, COMMAND_LINES, openShop } from './cashier.ts'
import { openHosts } from './hosts.ts'

const REDEEM = [...COMMAND_LINES['giftcards redeem'], '--once', 'till1-0042']

test('a redemption sends nothing and exits with code 8 if the ledger database cannot be reached', async () => {
  const shop = await openShop()
  const run = await shop.run(...REDEEM, '--ledger', `postgres://till@127.0.0.1:${await freePort()}/books`)
  expect(reportedError(run)).toMatchObject({ code: 'NETWORK_ERROR', exitCode: 8, outcome: 'not-applied' })
  expect(shop.server.writesOn(CARD)).toBe(0)
})

describe('ledger connections that PostgreSQL rejects', () => {
  needs(POSTGRES)
  const server = postgresServer()

  // Exit code 5 would tell the till that the service rejected the card.
  test('a redemption sends nothing and exits with code 8 instead of 5 if the server rejects the login', async () => {
    const shop = await openShop()
    Object.assign(shop.env, POSTGRES_ENV)
    const refused = [
      [server.url('partner_no_such_database'), 'createdb partner_no_such_database'],
      [server.url('postgres', 'partner_no_such_role'), 'check the user'],
    ] as const
    for (const [url, hint] of refused) {
      const error = reportedError(await shop.run(...REDEEM, '--ledger', url))
      expect(error).toMatchObject({ code: 'NETWORK_ERROR', exitCode: 8, outcome: 'not-applied' })
      expect(error.message).toMatch(/^the ledger cannot be used: .*; nothing was sent$/)
      expect(error.hint).toContain(hint)
    }
    expect(shop.server.writesOn(CARD)).toBe(0)
    expect((await shop.run(...REDEEM)).code).toBe(0)
  })
})

describe('ledgers that are damaged, for example by a partial restore', () => {
  needs(POSTGRES)
  const server = postgresServer()
  const ofVersion = 'ALTER TABLE partner_ledger.version'

  test.each([
    ['an empty version table', 'DELETE FROM partner_ledger.version'],
    ['two versions', 'INSERT INTO partner_ledger.version VALUES (2, 1)'],
    [
      'a version of NULL',
      `${ofVersion} ALTER format DROP NOT NULL, ALTER oldest DROP NOT NULL;
        UPDATE partner_ledger.version SET format = NULL, oldest = NULL`,
    ],
    ['a version that is text', `${ofVersion} ALTER format TYPE text, ALTER oldest TYPE text`],
    ['no version table', 'DROP TABLE partner_ledger.version'],
    ['no table of keys', 'DROP TABLE partner_ledger.keys'],
    ['no table of operations', 'DROP TABLE partner_ledger.operations'],
    ['no sequence', 'DROP SEQUENCE partner_ledger.steps'],
    ['a renamed column that every write sets', 'ALTER TABLE partner_ledger.operations RENAME target TO card'],
    ['a renamed column that is only read', 'ALTER TABLE partner_ledger.keys RENAME started_ms TO started'],
  ])('with %s, nothing is sent, and doctor and all money commands say what to do', async (_, damage) => {
    const shop = await openShop()
    const url = await server.database()
    Object.assign(shop.env, POSTGRES_ENV, { PARTNER_LEDGER: url })
    expect((await shop.run('operations', 'list')).code).toBe(0)
    await server.query(url, damage)
    const next = 'restore the schema partner_ledger from a backup; see partner help money'
    for (const command of [REDEEM, [...COMMAND_LINES['giftcards cancel']]]) {
      const error = reportedError(await shop.run(...command))
      expect(error).toMatchObject({ code: 'NETWORK_ERROR', exitCode: 8, outcome: 'not-applied' })
      expect(error.hint).toContain(next)
      expect(error.message).toMatch(
        /^the ledger cannot be used: the schema partner_ledger is incomplete or damaged: [^;]*; nothing was sent$/,
      )
    }
    const file = join(freshDirectory(), 'sales.ndjson')
    writeFileSync(file, `${sale('T-1')}\n`)
    const imported = await shop.run('sales', 'import', file, '-o', 'ndjson')
    expect(imported.stdout + imported.stderr).not.toMatch(/unknown|unexpected/)
    expect(imported.code, imported.stderr).toBe(8)
    expect((await runDoctor(shop.env)).row('ledger')).toMatchObject({ status: 'fail', next })
    expect(shop.server.commits).toEqual([])
  })
})

describe('redemptions with a ledger at a terminal', () => {
  needs(OWN_POSTGRES)
  needs(TERMINAL)
  const server = postgresServer()

  test('a redemption asks for confirmation even if another process has just failed to make the same payment', async () => {
    const { a, server: service, proxy } = await openHosts(server)
    await a.run('operations', 'list')
    const wasRead = Promise.withResolvers<void>()
    const mayAnswer = Promise.withResolvers<void>()
    service.setFaults('read', CARD, [{ kind: 'refused', status: 400, body: { message: 'Not now.' } }])
    const waitAfterRead = () => {
      wasRead.resolve()
      return mayAnswer.promise
    }
    service.setCallbacks('read', CARD, [waitAfterRead])
    let other: Running | undefined
    let isCardRead = false
    let queries = 0
    proxy.onQuery = async (): Promise<Treatment> => {
      queries++
      // The first query looks for the key, and the second for open writes.
      if (queries === 2) {
        other = a.start(...REDEEM)
        await wasRead.promise
        isCardRead = true
      } else if (isCardRead) mayAnswer.resolve()
      return 'pass'
    }
    const question = `Redeem 25.00 from ${CARD}?`
    const { code, screen } = await runInTerminal(REDEEM, [[question, 'n\r']], a.env)
    expect(code, screen).toBe(130)
    expect((await other?.ended)?.code).toBe(5)
    expect(service.writesOn(CARD)).toBe(0)
  })
})
