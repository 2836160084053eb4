import { describe, expect, test } from 'vitest'
import { SensitiveData } from '../../../../src/features/support/bundle/cleaning/sensitive-data.ts'
import { refusal, scan } from '../../../../src/features/support/bundle/scan.ts'

const SECRET = 'key-of-this-test'

function known(): SensitiveData {
  const all = new SensitiveData()
  all.learnSecret(SECRET)
  all.learnPhone('0412 345 678')
  all.learnCard('old-card-77')
  return all
}

const scanText = (text: string, name = 'part.json') => scan([{ name, bytes: Buffer.from(text) }], known())

const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'as plain text': (text) => text,
  'in JSON': (text) => JSON.stringify({ a: text }),
  'in JSON within JSON': (text) => JSON.stringify({ a: JSON.stringify({ b: text }) }),
  'with every letter escaped': escaped,
  'in a URL': (text) => `https://x.example/?q=${encodeURIComponent(text)}`,
  'in base64': (text) => `{"bodyBase64":"${Buffer.from(`{"a": "${text}"}`).toString('base64')}"}`,
  'in base64url': (text) => Buffer.from(`${text} and more`).toString('base64url'),
}

describe.each(Object.entries(FORMS))('scan of text %s', (form, write) => {
  test.each([
    ['an e-mail address', 'anna@mail.example'],
    ['a phone number', '+61412345678'],
    ['a phone number', '0412345678'],
    ['a card number', 'GIFT1-00000100-AAAA'],
    ['a card number', 'OLD-CARD-77'],
    ['a secret in use', SECRET],
  ])(`scan finds %s ${form}: %s`, (kind, text) =>
    expect(scanText(write(text)).map((finding) => finding.kind)).toContain(kind),
  )
})

test('scan reports the file and the member that contain guest data, but not the data', () => {
  const findings = scanText(JSON.stringify({ settings: [{ value: 'anna@mail.example' }] }))
  expect(findings).toEqual([{ part: 'part.json', kind: 'an e-mail address', member: 'value' }])
  const failure = refusal(findings)
  expect(failure.exitCode).toBe(1)
  expect(failure.message).toContain('part.json still contains an e-mail address, at "value"')
  expect(failure.hint).toContain('nothing was written')
  expect(JSON.stringify(failure.details) + failure.message).not.toContain('anna')
})

test('scan also searches file names', () =>
  expect(scanText('{}', 'anna@mail.example.json')).toMatchObject([{ kind: 'an e-mail address', member: null }]))

test('scan is fast even for a very long word', () =>
  expect(scanText(`{"bodyBase64":"${'QUJD'.repeat(500_000)}"}`)).toEqual([]))

test('scan reports nothing for times, IDs, UUIDs and versions', () => {
  const harmless = {
    at: '2026-11-22T19:30:00.000+11:00',
    ms: 1732275000000,
    id: '5f1d7a3e9b2c4d0012ab34cd',
    uuid: '5f1d7a3e-12cd-4d00-8a2b-34cd5f1d7a3e',
    trace: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    next: 'npm install fflate@0.8.3',
    long: '12345678901234567890',
  }
  expect(scanText(JSON.stringify(harmless))).toEqual([])
})
