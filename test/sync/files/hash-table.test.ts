import { expect, test } from 'vitest'
import { HashSet, HashTable, hashText } from '../../../src/sync/files/hash-table.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

test('HashTable distinguishes 300,000 similar strings', () => {
  const table = new HashTable()
  const text = (at: number) => `BK-${at} 2026-11-20T08:00:00.000Z`
  for (let at = 0; at < 300_000; at++) if (!table.set(text(at), NOON)) throw new Error(`${at} collides with another`)
  expect([...table.entries(Number.NEGATIVE_INFINITY)]).toHaveLength(300_000)
  for (let at = 0; at < 300_000; at += 7) if (!table.has(text(at))) throw new Error(`lost ${at}`)
  for (let at = 300_000; at < 400_000; at++) if (table.has(text(at))) throw new Error(`${at} was never added`)
  expect(table.set(text(5), NOON)).toBe(false)
})

test('HashTable.entries() rounds times up to whole seconds, and its entries can be copied to another table', () => {
  const [one, other] = [new HashTable(), new HashTable()]
  one.set('old', NOON - 60_000)
  one.set('new', NOON + 1)
  one.set('undated', Number.POSITIVE_INFINITY)
  one.set('long ago', Number.NEGATIVE_INFINITY)
  one.set('before', -1)
  one.replaceInfinite(NOON)
  const entries = [...one.entries(NOON)]
  for (const [hash, ms] of entries) other.setHash(hash, ms)
  expect(['old', 'new', 'undated', 'long ago', 'before'].filter((text) => other.has(text))).toEqual(['new', 'undated'])
  expect(new Map(entries)).toEqual(
    new Map([
      [hashText('new'), NOON + 1000],
      [hashText('undated'), NOON],
    ]),
  )
  expect([...one.entries(Number.NEGATIVE_INFINITY)]).toHaveLength(5)
})

test('HashSet distinguishes 300,000 strings', () => {
  const set = new HashSet()
  for (let at = 0; at < 300_000; at++) if (!set.add(`BK-${at}`)) throw new Error(`${at} collides with another`)
  for (let at = 0; at < 300_000; at += 7) if (set.add(`BK-${at}`)) throw new Error(`lost ${at}`)
})
