import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../src/client/session.ts'
import type { Notice, Surroundings } from '../../src/client/surroundings.ts'
import { redeemOnce } from '../../src/money/giftcards.ts'
import { getCurrentMoment } from '../../src/money/operations/moment.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { startSandbox } from '../../src/studio/start.ts'
import { compile } from '../support/compile.ts'
import { freshDirectory, freshHome, ROOT } from '../support/partner.ts'

// These tests use the core as another user interface would: without oclif, a terminal or a separate process.

const CARD = 'GIFT2-00005025-AAAA'

test('the core can redeem a card in the sandbox without the command line', async () => {
  const env = freshHome()
  const notices: Notice[] = []
  const around: Surroundings = {
    version: 'test',
    env,
    sandbox: {
      signing: () => Promise.reject(new Error('not asked for')),
      timezone: () => Promise.reject(new Error('not asked for')),
      start: (data) => startSandbox({ data }),
    },
    signal: new AbortController().signal,
    now: Date.now,
    notify: (notice) => notices.push(notice),
    hide: () => {},
    hidden: () => [],
  }
  const session = await openSession(around, { profile: 'sandbox', timeoutMs: 30_000, retries: 0 })
  const store = OperationStore.open(OperationStore.pathIn(env.PARTNER_DATA_DIR))
  onTestFinished(async () => {
    store.close()
    await session.close()
  })
  const { caller, service } = session
  const desk = { caller, store, service, clock: getCurrentMoment, inbound: null, force: false }
  const { answer } = await redeemOnce(desk, { cardNumber: CARD, amount: { text: '10.25', cents: 1025n } })
  expect(answer?.value).toMatchObject({ cardNumber: CARD, amountRedeemed: 10.25, isSuccess: true })
  store.conclude()
  expect([...store.list()]).toEqual([])
  expect(notices.flatMap((notice) => (notice.kind === 'attempt' ? [notice.attempt.request.method] : []))).toEqual([
    'GET',
    'POST',
  ])
})

test('the core compiles without the folders that contain the command line', { timeout: 240_000 }, () => {
  const directory = freshDirectory()
  cpSync(join(ROOT, 'src'), join(directory, 'src'), { recursive: true })
  for (const folder of ['terminal', 'features', 'mcp', 'commands'])
    rmSync(join(directory, 'src', folder), { recursive: true })
  expect(compile(directory)).toBe('')
})
