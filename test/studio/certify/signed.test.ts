import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  isResult,
  makeKey,
  readPrivateKey,
  readPublicKey,
  signResult,
  type UnsignedResult,
  verifyResult,
} from '../../../src/studio/certify/result/signed.ts'

const RESULT: UnsignedResult = {
  ...{ version: 1, name: 'Till “Zoë” 2', madeAt: '2026-11-20T03:31:33.000Z', madeBy: 'partner 0.1.0' },
  items: [
    {
      ...{ id: 'a-b', name: 'A "value": ""', status: 'passed', mend: 'Nothing.' },
      evidence: [{ at: '2026-11-20T03:31:33.000Z', kind: 'finding', text: '"value": ""\n  }\n}\n' }],
    },
  ],
  journal: { hash: 'ab', entries: 1 },
}
const KEY = makeKey()
const TEXT = signResult(RESULT, KEY)
const BYTES = Buffer.from(TEXT)

const why = (bytes: Uint8Array, known = null as Parameters<typeof verifyResult>[1]) => {
  const verdict = verifyResult(bytes, known)
  return verdict.isValid ? null : verdict.why
}

test('verifyResult accepts and returns a signed result', () => {
  expect(verifyResult(BYTES, null)).toMatchObject({ isValid: true, result: RESULT })
  expect(isResult(TEXT)).toBe(true)
})

test('verifyResult rejects a result in which any single byte was changed', () => {
  const valid = [...BYTES.keys()].filter((at) =>
    [1, 0x20, 0x80].some((bit) => {
      const changed = Buffer.from(BYTES)
      changed[at] = (changed[at] ?? 0) ^ bit
      return why(changed) === null
    }),
  )
  expect(valid).toEqual([])
})

test('verifyResult rejects a result with a missing or additional byte at any position', () => {
  const valid = [...BYTES.keys()].filter(
    (at) =>
      why(Buffer.concat([BYTES.subarray(0, at), BYTES.subarray(at + 1)])) === null ||
      why(Buffer.concat([BYTES.subarray(0, at), Buffer.from(' '), BYTES.subarray(at)])) === null ||
      why(BYTES.subarray(0, at)) === null,
  )
  expect(valid).toEqual([])
  expect(why(Buffer.concat([BYTES, Buffer.from('\n')]))).toBe('it does not end with a signature')
  expect(why(Buffer.from(`\ufeff${TEXT}`))).not.toBeNull()
})

test('verifyResult rejects a different base64 encoding of the same signature', () => {
  const [, value = ''] = /"value": "([^"]+)"\n {2}\}\n\}\n$/.exec(TEXT) ?? []
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const other = `${value.slice(0, -3)}${digits[digits.indexOf(value.at(-3) ?? '') ^ 1]}==`
  expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(value, 'base64'))
  expect(why(Buffer.from(TEXT.replace(value, other)))).toBe('it was changed after it was signed')
})

test('verifyResult detects a result that was signed with a different key only if the expected key is given', () => {
  const forged = Buffer.from(signResult({ ...RESULT, name: 'Forged' }, makeKey()))
  expect(why(forged)).toBeNull()
  expect(why(forged, createPublicKey(KEY))).toBe('it was signed with a different key')
  expect(why(BYTES, createPublicKey(KEY))).toBeNull()
})

test('verifyResult rejects a result whose public key was replaced', () => {
  const { publicKey } = JSON.parse(TEXT).signature
  const other = JSON.parse(signResult(RESULT, makeKey())).signature.publicKey
  expect(why(Buffer.from(TEXT.replace(publicKey, other)))).toBe('it was changed after it was signed')
  expect(why(Buffer.from(TEXT.replace(publicKey, 'none')))).toBe('it does not contain an Ed25519 public key')
})

const pem = KEY.export({ format: 'pem', type: 'pkcs8' }).toString()
const publicPem = createPublicKey(KEY).export({ format: 'pem', type: 'spki' }).toString()

test('readPrivateKey and readPublicKey accept PEM, and readPublicKey also accepts a public key copied from a result', () => {
  expect(readPrivateKey(pem, '--sign-with').asymmetricKeyType).toBe('ed25519')
  const { publicKey } = JSON.parse(TEXT).signature
  for (const text of [publicPem, publicKey, `${publicKey}\n`])
    expect(why(BYTES, readPublicKey(text, '--key'))).toBeNull()
})

test('readPrivateKey and readPublicKey reject other types of keys and invalid text without quoting the input', () => {
  const rsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' })
  for (const text of [String(rsa), publicPem, 'hunter2', ''])
    expect(() => readPrivateKey(text, '--sign-with')).toThrow(
      '--sign-with must name an Ed25519 private key in PEM format',
    )
  for (const text of ['hunter2', ''])
    expect(() => readPublicKey(text, '--key')).toThrow('--key must name an Ed25519 public key')
})
