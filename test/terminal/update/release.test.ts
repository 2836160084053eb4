import { describe, expect, test } from 'vitest'
import { isNewer, parseRelease } from '../../../src/terminal/update/release.ts'

describe('release names', () => {
  test.each(['0.2.0', 'v0.2.0', '10.0.1', 'v1.20.300'])('%s is a release name', (text) => {
    expect(parseRelease(text)).toBe(text.replace('v', ''))
  })

  test.each([
    ...['', 'v', '1', '1.0', '1.0.0.0', '01.0.0', '1.0.0-rc.1', '1.0.0+build', ' 1.0.0', '1.0.0\n', 'V1.0.0', '-1.0.0'],
    ...['1.0.0; rm -rf ~', '1.0.0\u001b[31m', '\u001b]0;x\u00071.0.0', '1.0.\u0661', '1e9.0.0', 'latest'],
    ...[`${'9'.repeat(400)}.0.0`, null, undefined, 1, true, ['1.0.0'], { version: '1.0.0' }],
  ])('%j is not a release name', (text) => expect(parseRelease(text)).toBeNull())
})

describe('comparing release versions', () => {
  test.each([
    ['0.2.0', '0.1.0'],
    ['0.1.10', '0.1.9'],
    ['1.0.0', '0.99.99'],
    ['0.2.0', '0.2.0-rc.1'],
    ['0.2.0', '0.2.0-rc.1+build.5'],
    ['0.2.0', '0.1.0-7-gabc'],
  ])('release %s is newer than version %s', (release, own) => expect(isNewer(release, own)).toBe(true))

  test.each([
    ['0.1.0', '0.1.0'],
    ['0.1.0', '0.1.0+build-5'],
    ['0.1.9', '0.1.10'],
    ['0.9.9', '1.0.0'],
    ['0.1.9', '0.2.0-rc.1'],
    ['0.1.0', 'unknown'],
  ])('release %s is not newer than version %s', (release, own) => expect(isNewer(release, own)).toBe(false))
})
