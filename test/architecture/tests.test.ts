import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/partner.ts'

/** Folders in test/ that do not belong to one particular room of src/. */
const ACROSS_ROOMS = ['acceptance', 'architecture', 'golden', 'hostile', 'packaging', 'support', 'windows']

/** The default timeout of a test, from vitest.config.ts. */
const USUAL_LIMIT_MS = 120_000

const firstIn = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((path) => path.split(/[\\/]/)[1] ?? '')

test('every folder in test/ is named after a folder in src/ or is listed as covering several folders', () => {
  const rooms = new Set([...firstIn('src/*/'), ...ACROSS_ROOMS])
  expect([...new Set(firstIn('test/*/**/*.ts'))].filter((folder) => !rooms.has(folder))).toEqual([])
})

test('no test file has a number in its name', () =>
  expect(globSync('test/**/*[0-9]*.test.ts', { cwd: ROOT })).toEqual([]))

test('no test sets a time limit below the default, because it could then fail on a slow machine', () => {
  const short = globSync('test/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\btimeout: ([\d_]+)\b/g)]
      .map(([text, number = '']) => ({ text, ms: Number(number.replaceAll('_', '')) }))
      // Limits of 0 are allowed, because they make a call fail immediately instead of waiting.
      .filter(({ ms }) => ms > 0 && ms < USUAL_LIMIT_MS)
      .map(({ text }) => `${path}: ${text}`),
  )
  expect(short).toEqual([])
})

test('npm run test:quick covers every top-level folder of src/', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const tested = scripts['test:quick']?.split(' ').filter((word) => word.startsWith('test/')) ?? []
  const named = (path: string) => globSync([`${path}*.test.ts`, `${path}/**/*.test.ts`], { cwd: ROOT }).length > 0
  expect(tested.filter((path) => !named(path))).toEqual([])
  expect(firstIn('src/*/').filter((room) => !tested.some((path) => path.split('/')[1] === room))).toEqual([])
})
