import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import { FailedRunNote } from '../../../src/sync/watching/failed-run.ts'
import { freshDirectory, freshHome } from '../../support/partner.ts'

const AT = { now: () => Date.parse('2026-11-20T06:00:00.000Z'), stderr: { hidden: ['secret-key-5f1e77'] } }
const DOWN = new Failure('SERVICE_ERROR', 'the service answered 503', { lines: ['it said', 'secret-key-5f1e77'] })

function place() {
  const env = freshHome()
  const directory = freshDirectory()
  const note = (name = 'venue.db', source = 'city', resource: 'bookings' | 'sales' = 'bookings') =>
    new FailedRunNote(env, { to: name.includes(':') ? name : join(directory, name), source, resource })
  return { env, directory, note }
}

test('a failed run leaves a note without secrets, which the next successful run deletes', () => {
  const { env, note } = place()
  expect(note().read()).toBeNull()
  note().write(DOWN, AT)
  const message = 'the service answered 503; it said; ••••'
  expect(note().read()).toEqual({ at: '2026-11-20T06:00:00.000Z', code: 'SERVICE_ERROR', exitCode: 8, message })
  const folder = join(env.PARTNER_DATA_DIR, 'failed-runs')
  expect(
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join(),
  ).not.toContain('5f1e77')
  note().clear()
  expect(note().read()).toBeNull()
  expect(existsSync(folder)).toBe(false)
})

test('a failed-run note belongs to one resource and, in a database, to one source', () => {
  const { note } = place()
  note().write(DOWN, AT)
  expect(note('venue.db', 'harbour').read()).toBeNull()
  expect(note('venue.db', 'city', 'sales').read()).toBeNull()
  expect(note('other.db').read()).toBeNull()
  note('b.ndjson', 'city').write(DOWN, AT)
  expect(note('b.ndjson', 'harbour').read()).not.toBeNull()
})

test('a failed-run note is found even if a different path or URL is given for the same target', () => {
  const { note, directory } = place()
  mkdirSync(join(directory, 'data'))
  symlinkSync('data', join(directory, 'link'))
  note(join('data', 'venue.db')).write(DOWN, AT)
  expect(note(join('link', 'venue.db')).read()).not.toBeNull()
  note('postgres://reports:pass@db.example/venue').write(DOWN, AT)
  expect(note('postgres://reports@db.example/venue').read()).not.toBeNull()
})

test.each(['USAGE', 'LOCKED', 'INTERRUPTED'] as const)('a run that ends with %s leaves no failed-run note', (code) => {
  const { note, env } = place()
  note().write(new Failure(code, 'not of the run'), AT)
  expect(note().read()).toBeNull()
  expect(() => readdirSync(join(env.PARTNER_DATA_DIR, 'failed-runs'))).toThrow('ENOENT')
})

test('errors in reading or writing a failed-run note are ignored', () => {
  const env = { PARTNER_DATA_DIR: '/dev/null/data' }
  const note = new FailedRunNote(env, { to: 'venue.db', source: 'city', resource: 'bookings' })
  note.write(DOWN, AT)
  note.clear()
  expect(note.read()).toBeNull()
})
