import { expect, test } from 'vitest'
import { HashSet, HashTable, hashText } from '../../../src/sync/files/hash-table.ts'

test('a table tells 300,000 texts apart that differ little, and gives back their numbers', () => {
  const table = new HashTable()
  const text = (at: number) => `BK-${at} 2026-11-20T08:00:00.000Z`
  for (let at = 0; at < 300_000; at++) if (!table.set(text(at), at)) throw new Error(`${at} meets another`)
  expect(table.size).toBe(300_000)
  for (let at = 0; at < 300_000; at += 7) if (table.get(text(at)) !== at) throw new Error(`lost ${at}`)
  expect(table.get('BK-300000 2026-11-20T08:00:00.000Z')).toBeUndefined()
  expect(table.set(text(5), -1)).toBe(false)
  expect(table.get(text(5))).toBe(-1)
})

test('what it gives by hash goes into another table', () => {
  const [one, other] = [new HashTable(), new HashTable()]
  one.set('old', 1)
  one.set('new', 5)
  one.set('', Number.POSITIVE_INFINITY)
  one.replace(Number.POSITIVE_INFINITY, 9)
  for (const [hash, value] of one.entries(5)) other.setHash(hash, value)
  expect(['old', 'new', ''].map((text) => other.get(text))).toEqual([undefined, 5, 9])
  expect([...one.entries(5)].map(([hash]) => hash).sort()).toEqual([hashText('new'), hashText('')].sort())
})

test('a set tells 300,000 texts apart', () => {
  const set = new HashSet()
  for (let at = 0; at < 300_000; at++) if (!set.add(`BK-${at}`)) throw new Error(`${at} meets another`)
  for (let at = 0; at < 300_000; at += 7) if (set.add(`BK-${at}`)) throw new Error(`lost ${at}`)
})
