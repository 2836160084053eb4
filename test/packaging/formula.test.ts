import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formula } from '../../scripts/package/formula.ts'
import { PLATFORMS } from '../../scripts/package/platforms.ts'
import { ROOT } from '../support/partner.ts'

const TEMPLATE = readFileSync(join(ROOT, 'packaging', 'homebrew', 'partner.rb'), 'utf8')
const sumOf = (at: number) => String(at).repeat(64)
const SUMS = PLATFORMS.map(({ name }, at) => `${sumOf(at)}  partner-9.9.9-${name}.tar.gz\n`).join('')

test("the Homebrew formula contains each archive's name and checksum, and no unfilled placeholders", () => {
  const text = formula(TEMPLATE, '9.9.9', SUMS, 'https://example.com/v9.9.9', 'https://example.com')
  const named = [...text.matchAll(/url "(.*)"\n\s*sha256 "(.*)"/g)].map(([, url, sum]) => [url, sum])
  const expected = ['darwin-arm64', 'linux-arm64', 'linux-x64'].map((name) => [
    `https://example.com/v9.9.9/partner-9.9.9-${name}.tar.gz`,
    sumOf(PLATFORMS.findIndex((one) => one.name === name)),
  ])
  expect(named).toEqual(expected)
  expect(text).not.toMatch(/@[A-Z]/)
  expect(text).toMatch(/^class Partner < Formula\n/)
})

test('generating the Homebrew formula fails if the checksum of an archive is missing', () => {
  expect(() => formula(TEMPLATE, '9.9.8', SUMS, 'https://example.com', 'https://example.com')).toThrow(
    'release/SHA256SUMS has no archive for darwin-arm64',
  )
})
