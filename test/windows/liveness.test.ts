import { describe, expect, test } from 'vitest'
import type { Liveness, Owner } from '../../src/base/storage/owner.ts'
import { CARD, COMMAND_LINES, openShop } from '../money/cashier.ts'
import { rewriteRows } from '../money/rows.ts'
import { needs } from '../support/needs.ts'
import { freshDirectory } from '../support/partner.ts'
import { reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { WINDOWS } from '../support/windows.ts'
import { runInWindows, startInWindows } from '../support/windows-scripts.ts'

const OWNER = "import { getCurrentOwner, getLiveness } from './src/base/storage/owner.ts'"
const STAY = 'setInterval(() => {}, 1000)'

async function startOwner() {
  const { line, running } = await startInWindows(
    `${OWNER}; console.log(JSON.stringify([getCurrentOwner(), getLiveness(getCurrentOwner())])); ${STAY}`,
  )
  const [owner, liveness] = JSON.parse(line) as [Owner, Liveness]
  expect(liveness).toBe('this-process')
  return { owner, running }
}

async function livenessOf(...owners: readonly Owner[]): Promise<Liveness[]> {
  const { stdout, stderr } = await runInWindows(
    `${OWNER}; console.log(JSON.stringify(${JSON.stringify(owners)}.map(getLiveness)))`,
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

async function kill({ owner, running }: Awaited<ReturnType<typeof startOwner>>): Promise<void> {
  running.process.kill('SIGKILL')
  await until(async () => (await livenessOf(owner))[0] === 'gone')
}

describe('processes on Windows', () => {
  needs(WINDOWS)

  test('a killed process is no longer considered running, even if another process has its ID', async () => {
    const [killed, other] = [await startOwner(), await startOwner()]
    expect(killed.owner).toMatchObject({
      born: null,
      boot: null,
      lifeFile: expect.stringMatching(/partner-\d+-\w+\.running$/),
    })
    expect(await livenessOf(killed.owner, other.owner)).toEqual(['running', 'running'])
    await kill(killed)
    const reused = { ...killed.owner, pid: other.owner.pid }
    expect(await livenessOf(killed.owner, reused, other.owner)).toEqual(['gone', 'gone', 'running'])
    other.running.process.kill('SIGKILL')
  })

  test('an owner recorded by an earlier release is considered running while any process has its ID', async () => {
    const other = await startOwner()
    const recorded = { pid: other.owner.pid, born: null, boot: null, pidNamespace: null }
    expect(await livenessOf(recorded)).toEqual(['running'])
    await kill(other)
    expect(await livenessOf(recorded)).toEqual(['gone'])
  })

  test('a lock is free and has no recorded holder after its holder is killed', async () => {
    const path = JSON.stringify(`${freshDirectory()}/sync.lock`)
    const lock = "import { readLockHolder, tryLock } from './src/base/storage/lock.ts'"
    const holder = await startInWindows(
      `${OWNER}; ${lock}; const lock = tryLock(${path}, { command: 'bookings sync' })
      console.log(JSON.stringify([getCurrentOwner(), lock === null])); ${STAY}`,
    )
    const [owner, isBusy] = JSON.parse(holder.line)
    expect(isBusy).toBe(false)
    const look = async () => {
      const { stdout } = await runInWindows(
        `${lock}; const holder = readLockHolder(${path}); const lock = tryLock(${path})
        console.log(JSON.stringify({ holder, isFree: lock !== null })); lock?.release()`,
      )
      return JSON.parse(stdout)
    }
    expect(await look()).toMatchObject({ holder: { pid: owner.pid, command: 'bookings sync' }, isFree: false })
    await kill({ owner, running: holder.running })
    expect(await look()).toEqual({ holder: null, isFree: true })
  })

  test('a payment whose process was killed can be resolved even if another process has the same process ID', async () => {
    const shop = await openShop()
    shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'hang', phase: 'after' }])
    const redeem = startPartner(COMMAND_LINES['giftcards redeem'], { env: shop.env })
    await until(() => shop.server.writesOn(CARD) === 1)
    const repeat = async () => reportedError(await shop.run(...COMMAND_LINES['giftcards redeem'])).message
    expect(await repeat()).toContain('the same write is in progress in process')
    redeem.process.kill('SIGKILL')
    await redeem.ended
    const other = await startOwner()
    rewriteRows(shop.operationsFile, (row) => ({ ...row, owner: { ...row.owner, pid: other.owner.pid } }))
    // The killed process can take a moment to exit.
    await until(async () => (await repeat()).includes('it is not known whether this earlier write was done'))
    expect((await shop.resolve()).code).toBe(0)
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
    expect(shop.server.commitsOn(CARD)).toBe(1)
    other.running.process.kill('SIGKILL')
  })
})
