import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { Interrupted } from '../../../../src/base/failure/interrupted.ts'
import { type BundleRequest, defaultName, makeBundle, pack } from '../../../../src/features/support/bundle/make.ts'
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

test('README.txt names a part that could not be collected, and hides guest data in the error message', async () => {
  const bundle = await makeBundle(
    request([ownPart('a.json', 'something', () => ({ a: 1 })), failing(new Error('anna@mail.example is gone\nx'))]),
  )
  expect(bundle.packed.map(({ name }) => name)).toEqual(['README.txt', 'a.json'])
  expect(bundle.missing).toMatchObject([{ name: 'drift.json', problem: expect.stringMatching(/^email-\w+ is gone$/) }])
  const text = Buffer.from(bundle.entries[0]?.bytes ?? []).toString()
  expect(text).toMatch(/^Could not be collected:\n {2}drift\.json +email-\w+ is gone$/m)
  expect(text).toContain('the last 1h')
})

test('makeBundle omits an empty part and does not report it as missing', async () => {
  const bundle = await makeBundle(request([ownPart('profile.json', 'the profile', () => null)]))
  expect(bundle).toMatchObject({ missing: [], packed: [{ name: 'README.txt' }] })
})

test('makeBundle stops if it is interrupted while it collects a part', () =>
  expect(makeBundle(request([failing(new Interrupted('SIGINT'))]))).rejects.toThrow(Interrupted))

test('makeBundle fails if a secret is a common word, because replacing the word would reveal the secret', async () => {
  const part = ownPart('a.json', 'something', () => ({ bookings: 1 }))
  await expect(makeBundle(request([part], ['bookings']))).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('a.json still contains a secret in use'),
    hint: expect.stringContaining('replace the secret with a longer one'),
  })
})

test('pack stores files with mode 0600, and the default zip name contains the time', async () => {
  const { entries } = await makeBundle(request([ownPart('a.json', 'something', () => ({ a: 'ü' }))]))
  const zip = pack(entries, MADE_MS)
  const files = unzipSync(zip)
  expect(Object.keys(files)).toEqual(['README.txt', 'a.json'])
  expect(Buffer.from(files['a.json'] ?? []).toString()).toBe('{\n  "a": "ü"\n}\n')
  // The zip's central directory says that the file was created on Unix (3) and is a regular file with mode 0600.
  const at = Buffer.from(zip).indexOf('PK\u0001\u0002')
  expect(zip[at + 5]).toBe(3)
  expect(Buffer.from(zip).readUInt32LE(at + 38) >>> 16).toBe(0o100600)
  expect(defaultName(MADE_MS)).toBe('partner-support-20261122-140315.zip')
})
