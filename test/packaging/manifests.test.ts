import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill } from '../../scripts/package/manifests.ts'
import { PLATFORMS } from '../../scripts/package/platforms.ts'
import { ROOT } from '../support/partner.ts'

const FORMULA = readFileSync(join(ROOT, 'packaging', 'homebrew', 'partner.rb'), 'utf8')
const SCOOP = readFileSync(join(ROOT, 'packaging', 'scoop', 'partner.json'), 'utf8')
const sumOf = (platform: string) => String(PLATFORMS.findIndex(({ name }) => name === platform)).repeat(64)
const SUMS = PLATFORMS.map(
  ({ name, isWindows }) => `${sumOf(name)}  partner-9.9.9-${name}.${isWindows ? 'zip' : 'tar.gz'}\n`,
).join('')

test("the Homebrew formula contains each archive's name and checksum, and no unfilled placeholders", () => {
  const text = fill(FORMULA, '9.9.9', SUMS, 'https://example.com/v9.9.9', 'https://example.com')
  const named = [...text.matchAll(/url "(.*)"\n\s*sha256 "(.*)"/g)].map(([, url, sum]) => [url, sum])
  const expected = ['darwin-arm64', 'linux-arm64', 'linux-x64'].map((name) => [
    `https://example.com/v9.9.9/partner-9.9.9-${name}.tar.gz`,
    sumOf(name),
  ])
  expect(named).toEqual(expected)
  expect(text).not.toMatch(/@[A-Z]/)
  expect(text).toMatch(/^class Partner < Formula\n/)
})

test("the Scoop manifest has the fields that Scoop requires, and the Windows archive's checksum and folder", () => {
  const text = fill(SCOOP, '9.9.9', SUMS, 'https://example.com/v9.9.9', 'https://example.com')
  expect(JSON.parse(text)).toEqual({
    version: '9.9.9',
    description: expect.stringMatching(/^\w.*\w$/),
    homepage: 'https://example.com',
    license: 'MIT',
    architecture: {
      '64bit': {
        url: 'https://example.com/v9.9.9/partner-9.9.9-win-x64.zip',
        hash: sumOf('win-x64'),
        extract_dir: 'partner-9.9.9-win-x64',
      },
    },
    bin: 'bin\\partner.cmd',
    post_install: expect.stringMatching(/^& "\$dir\\lib\\node\.exe" "\$dir\\lib\\partner\\.*\.cjs" "\$dir\\.*\\dist"$/),
  })
})

test.each([
  ['the Homebrew formula', FORMULA, 'darwin-arm64.tar.gz'],
  ['the Scoop manifest', SCOOP, 'win-x64.zip'],
])('generating %s fails if the checksum of an archive is missing', (_name, template, archive) => {
  expect(() => fill(template, '9.9.8', SUMS, 'https://example.com', 'https://example.com')).toThrow(
    `release/SHA256SUMS has no archive for ${archive}`,
  )
})
