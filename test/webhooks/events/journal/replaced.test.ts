import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deliveryLine } from '../../../../src/webhooks/events/journal/entry.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { bodiesIn, clockAt, DAY, filesOf, openTestJournal } from './journals.ts'

const KEEPING = [
  ['without', null],
  ['with', 90 * DAY],
] as const

async function openedJournal(keepMs: number | null) {
  const path = join(freshDirectory(), 'venue', 'hooks.ndjson')
  mkdirSync(dirname(path))
  const clock = clockAt('2026-11-27T12:00:00Z')
  return { path, clock, ...(await openTestJournal(path, clock, keepMs)) }
}

const warning = (path: string) =>
  `${path} was deleted, moved or replaced; deliveries are now stored in a new file at that path`

describe.each(KEEPING)('a journal %s --keep whose file is replaced by another program', (_, keepMs) => {
  const mark = keepMs === null ? '' : '+'

  test('the next delivery recreates a deleted journal, and one warning is printed', async () => {
    const { path, handle, told } = await openedJournal(keepMs)
    await handle('a')
    rmSync(path)
    await handle('b')
    await handle('c')
    expect(filesOf(path)).toEqual({ J: `b${mark} c${mark}` })
    expect(told).toEqual([warning(path)])
  })

  test('if logrotate renames the journal, the old file keeps its deliveries and a new file stores later ones', async () => {
    const { path, store, handle } = await openedJournal(keepMs)
    const settle = await store('a')
    renameSync(path, `${path}.old`)
    await handle('b')
    await settle(true)
    expect(filesOf(path)).toEqual({ J: `b${mark}`, 'J.old': `a${mark}` })
  })

  test('an incomplete last line in a replaced journal is removed before new deliveries are appended', async () => {
    const { path, clock, handle } = await openedJournal(keepMs)
    await handle('a')
    const line = (text: string) =>
      deliveryLine({ timeMs: clock.now(), headers: {}, body: Buffer.from(text), verdict: 'new' }, keepMs !== null)
    writeFileSync(`${path}.other`, line('x') + line('y').slice(0, 20))
    renameSync(`${path}.other`, path)
    await handle('b')
    expect(filesOf(path)).toEqual({ J: `x b${mark}` })
  })

  test('deliveries are refused while something other than a journal is at the path, and are stored after it is removed', async () => {
    const { path, handle, store } = await openedJournal(keepMs)
    await handle('a')
    writeFileSync(`${path}.notes`, 'milk\neggs\n')
    renameSync(`${path}.notes`, path)
    await expect(store('b')).rejects.toThrow(`${path}: line 1 is not a delivery`)
    expect(readFileSync(path, 'utf8')).toBe('milk\neggs\n')
    rmSync(path)
    symlinkSync(`${path}.linked`, path)
    await expect(store('c')).rejects.toThrow(`${path} is a symbolic link`)
    rmSync(path)
    mkdirSync(path)
    await expect(store('d')).rejects.toThrow(`${path} is a directory`)
    rmSync(path, { recursive: true })
    await handle('e')
    expect(filesOf(path)).toEqual({ J: `e${mark}` })
  })

  test("deliveries are refused while the journal's directory does not exist, and are stored once it exists again", async () => {
    const { path, handle, store } = await openedJournal(keepMs)
    await handle('a')
    renameSync(dirname(path), `${dirname(path)}.old`)
    await expect(store('b')).rejects.toThrow(/^cannot write .*hooks\.ndjson.*no such file or directory \(ENOENT\)/)
    mkdirSync(dirname(path))
    await handle('c')
    expect(filesOf(path)).toEqual({ J: `c${mark}` })
  })

  test('settling an earlier delivery does not damage a journal that copytruncate has truncated', async () => {
    const { path, store, handle, told } = await openedJournal(keepMs)
    const settleFirst = await store('a')
    const settleSecond = await store('b')
    truncateSync(path)
    await settleFirst(true)
    expect(readFileSync(path, 'utf8')).toBe('')
    const settleThird = await store('c')
    const settleFourth = await store('d')
    await settleSecond(true)
    expect(filesOf(path)).toEqual({ J: 'c d' })
    await settleThird(true)
    await settleFourth(false)
    await handle('e')
    expect(filesOf(path)).toEqual({ J: `c${mark} d e${mark}` })
    expect(told).toEqual([])
  })
})

test('a file that has replaced the journal is not closed at the end of the day', async () => {
  const { path, clock, handle, tidy, told } = await openedJournal(90 * DAY)
  await handle('a')
  writeFileSync(`${path}.notes`, 'milk\neggs\n')
  renameSync(`${path}.notes`, path)
  clock.advance(DAY)
  await tidy()
  expect(readFileSync(path, 'utf8')).toBe('milk\neggs\n')
  rmSync(path)
  await handle('b')
  clock.advance(DAY)
  await handle('c')
  await tidy()
  expect(filesOf(path)).toEqual({ J: 'c+', 'J.2026-11-28.gz': 'b+' })
  expect(await bodiesIn(path)).toEqual(['b', 'c'])
  expect(told).toEqual([warning(path)])
})
