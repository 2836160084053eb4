import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT } from '../support/partner.ts'

/** Folders of test/ that are about no one room of src/. */
const ACROSS_ROOMS = ['acceptance', 'architecture', 'golden', 'hostile', 'support']

const firstIn = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((path) => path.split(/[\\/]/)[1] ?? '')

test('every folder of test/ is a room of src/, or cuts across the rooms', () => {
  const rooms = new Set([...firstIn('src/*/'), ...ACROSS_ROOMS])
  expect([...new Set(firstIn('test/*/**/*.ts'))].filter((folder) => !rooms.has(folder))).toEqual([])
})

test('no test file is named after a number: its name says what it is about', () => {
  expect(globSync('test/**/*[0-9]*.test.ts', { cwd: ROOT })).toEqual([])
})
