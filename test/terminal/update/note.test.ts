import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tryLock } from '../../../src/base/storage/lock.ts'
import { changeNote, isDue, noteAnswer, readNote, type UpdateNote } from '../../../src/terminal/update/note.ts'
import { freshDirectory } from '../../support/partner.ts'

const NOTE: UpdateNote = { address: 'https://a.example/', askedAt: 5, release: '0.2.0', toldAt: null }
const NOTHING: UpdateNote = { address: '', askedAt: null, release: null, toldAt: null }
const DAY_MS = 86_400_000

const cache = () => ({ PARTNER_CACHE_DIR: join(freshDirectory(), 'cache') })
const fileIn = (env: { readonly PARTNER_CACHE_DIR: string }) => join(env.PARTNER_CACHE_DIR, 'update.json')

describe('the stored state of update checks', () => {
  test('only the owner can read the update state, and only the lock file remains next to it', async () => {
    const env = cache()
    expect(changeNote(env, () => NOTE)).toBe(true)
    expect(readNote(env)).toEqual(NOTE)
    await noteAnswer(env, NOTE.address, '0.3.0')
    expect(readNote(env)).toEqual({ ...NOTE, release: '0.3.0' })
    expect(statSync(fileIn(env)).mode & 0o777).toBe(0o600)
    expect(readdirSync(env.PARTNER_CACHE_DIR).sort()).toEqual(['update.json', 'update.lock'])
  })

  test('the update state does not change while another process holds the lock', () => {
    const env = cache()
    changeNote(env, () => NOTE)
    const lock = tryLock(join(env.PARTNER_CACHE_DIR, 'update.lock'))
    expect(changeNote(env, () => NOTHING)).toBe(false)
    lock?.release()
    expect(changeNote(env, () => null)).toBe(false)
    expect(readNote(env)).toEqual(NOTE)
  })

  test.each([
    '',
    '{',
    'null',
    '7',
    '[]',
    JSON.stringify({ address: 1, askedAt: 'today', release: '0.2.0; rm -rf ~', toldAt: {} }),
    JSON.stringify({ release: '\u001b[31m9.9.9' }),
    `${' '.repeat(20_000)}${JSON.stringify(NOTE)}`,
  ])('damaged update state is treated as empty and overwritten: %j', (text) => {
    const env = cache()
    mkdirSync(env.PARTNER_CACHE_DIR)
    writeFileSync(fileIn(env), text)
    expect(readNote(env)).toEqual(NOTHING)
    expect(changeNote(env, (note) => ({ ...note, askedAt: 5 }))).toBe(true)
    expect(readNote(env)).toEqual({ ...NOTHING, askedAt: 5 })
  })

  test('the update state is never written through a symbolic link', () => {
    const env = cache()
    mkdirSync(env.PARTNER_CACHE_DIR)
    const other = join(freshDirectory(), 'precious')
    writeFileSync(other, 'as it was')
    symlinkSync(other, fileIn(env))
    changeNote(env, () => NOTE)
    expect(readFileSync(other, 'utf8')).toBe('as it was')
  })

  test('the update state can be read but not changed if the cache directory is a file', () => {
    const env = { PARTNER_CACHE_DIR: join(freshDirectory(), 'file') }
    writeFileSync(env.PARTNER_CACHE_DIR, '')
    expect(() => changeNote(env, () => NOTE)).toThrow()
    expect(readNote(env)).toEqual(NOTHING)
    expect(readNote({ PARTNER_CACHE_DIR: 'relative' })).toEqual(NOTHING)
  })
})

test('a daily task is due if it has never run, if it last ran at least a day ago, or if its last run is in the future', () => {
  const now = 100 * DAY_MS
  expect([null, now - DAY_MS, now + 1].map((last) => isDue(last, now))).toEqual([true, true, true])
  expect([now, now - DAY_MS + 1].map((last) => isDue(last, now))).toEqual([false, false])
})
