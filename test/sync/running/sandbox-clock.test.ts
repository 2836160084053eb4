import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { startPartner } from '../../support/running.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { deskFor } from '../service.ts'

/** Starts a sandbox whose clock starts at the given time, and creates an up-to-date copy in a file. */
async function startAt(clock: string) {
  const sandbox = await startSandboxProcess(['--data', ':memory:', '--clock', clock])
  const desk = deskFor(sandbox.env)
  const run = (...args: readonly string[]) => runPartner(args, { env: desk.env })
  const change = async (people: number) => {
    expect((await run('bookings', 'update-pax', 'BK-1001', String(people))).code).toBe(0)
  }
  const setClock = (time: string) => run('sandbox', 'clock', 'set', time, '--base-url', sandbox.baseUrl)
  expect((await desk.sync('--since', '-2000d')).code).toBe(0)
  const pax = () => desk.records().findLast(({ bookingId }) => bookingId === 'BK-1001')?.people
  return { sandbox, desk, change, setClock, pax }
}

describe('sync from a sandbox whose clock is wrong', () => {
  test.each(['2024-06-01T08:00:00Z', '2029-06-01T08:00:00Z'])(
    'sync copies each change in a sandbox whose clock starts at %s',
    async (clock) => {
      const { sandbox, desk, change, pax } = await startAt(clock)
      for (const people of [3, 4]) {
        await change(people)
        expect((await desk.sync()).code).toBe(0)
        expect(pax()).toBe(people)
      }
      await sandbox.stop()
    },
  )

  test('no change is missed or duplicated if the sandbox clock is set back by a day and later set forward', async () => {
    const { sandbox, desk, change, setClock, pax } = await startAt('2027-06-02T08:00:00Z')
    let people = 1
    const times = ['2027-06-01T08:00:00Z', '2027-06-01T20:00:00Z', '2027-06-02T09:00:00Z', '2027-09-01T00:00:00Z']
    for (const time of times) {
      expect((await setClock(time)).code).toBe(0)
      await change(++people)
      expect((await desk.sync()).code).toBe(0)
      expect(pax(), time).toBe(people)
    }
    const versions = desk.records().map((one) => `${one.bookingId} ${one.lastModifiedDate}`)
    expect(new Set(versions).size).toBe(versions.length)
    await sandbox.stop()
  })
})

test("no change is missed if this machine's clock is a year behind or a year ahead", async () => {
  const { sandbox, desk, change, pax } = await startAt('now')
  let people = 1
  for (const years of [-1, 1]) {
    await change(++people)
    const preload = `const now = Date.now; Date.now = () => now() + ${years} * 365 * 86400000`
    const done = await startPartner(['bookings', 'sync', '--to', desk.path], { env: desk.env, preload }).ended
    expect(done).toMatchObject({ code: 0 })
    expect(pax()).toBe(people)
  }
  expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed, /)
  await sandbox.stop()
})
