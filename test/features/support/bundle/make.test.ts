import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { Interrupted } from '../../../../src/base/failure/interrupted.ts'
import { type BundleRequest, makeBundle, pack, usualName } from '../../../../src/features/support/bundle/make.ts'
import { ownPart, type Part } from '../../../../src/features/support/bundle/part.ts'

const MADE_MS = Date.UTC(2026, 10, 22, 14, 3, 15)

function request(parts: readonly Part[], secrets: readonly string[] = []): BundleRequest {
  return {
    ...{ parts, version: '1.2.3', madeMs: MADE_MS, last: '1h', home: '' },
    secrets: async () => secrets,
    onStep: () => {},
    signal: new AbortController().signal,
  }
}

const drift = { name: 'drift.json', about: 'what drift finds' }
const failing = (error: unknown): Part => ({ ...drift, collect: () => Promise.reject(error) })

test('a part that cannot be collected is named in the README, without what its error tells of guests', async () => {
  const bundle = await makeBundle(
    request([ownPart('a.json', 'something', () => ({ a: 1 })), failing(new Error('anna@mail.example is gone\nx'))]),
  )
  expect(bundle.packed.map(({ name }) => name)).toEqual(['README.txt', 'a.json'])
  expect(bundle.missing).toMatchObject([{ name: 'drift.json', problem: expect.stringMatching(/^email-\w+ is gone$/) }])
  const text = Buffer.from(bundle.entries[0]?.bytes ?? []).toString()
  expect(text).toMatch(/^Could not be collected:\n {2}drift\.json +email-\w+ is gone$/m)
  expect(text).toContain('the last 1h')
})

test('a part with nothing in it is left out, and is no mistake', async () => {
  const bundle = await makeBundle(request([ownPart('profile.json', 'the profile', () => null)]))
  expect(bundle).toMatchObject({ missing: [], packed: [{ name: 'README.txt' }] })
})

test('an interruption ends it', () =>
  expect(makeBundle(request([failing(new Interrupted('SIGINT'))]))).rejects.toThrow(Interrupted))

test('a secret that is a word of every answer ends it: it would tell where the secret is', async () => {
  const part = ownPart('a.json', 'something', () => ({ bookings: 1 }))
  await expect(makeBundle(request([part], ['bookings']))).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('a.json still holds a secret in use'),
    hint: expect.stringContaining('changed for a longer one'),
  })
})

test('the zip holds the files for its owner alone, with the time at which it was made', async () => {
  const { entries } = await makeBundle(request([ownPart('a.json', 'something', () => ({ a: 'ü' }))]))
  const zip = pack(entries, MADE_MS)
  const files = unzipSync(zip)
  expect(Object.keys(files)).toEqual(['README.txt', 'a.json'])
  expect(Buffer.from(files['a.json'] ?? []).toString()).toBe('{\n  "a": "ü"\n}\n')
  // The directory at the end of a zip: Unix, a plain file with mode 0600.
  const at = Buffer.from(zip).indexOf('PK\u0001\u0002')
  expect(zip[at + 5]).toBe(3)
  expect(Buffer.from(zip).readUInt32LE(at + 38) >>> 16).toBe(0o100600)
  expect(usualName(MADE_MS)).toBe('partner-support-20261122-140315.zip')
})
