import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseUpdateUrl, UPDATE_FILE, updateSource } from '../../../src/terminal/update/source.ts'
import { freshDirectory } from '../../support/partner.ts'
import { words } from '../../support/words.ts'

const URL_THERE = 'https://releases.example/partner/latest'
const PAGE = 'https://releases.example/partner'

function distWith(text: string): string {
  const dist = freshDirectory()
  writeFileSync(join(dist, UPDATE_FILE), text)
  return dist
}

describe('update sources', () => {
  test('updateSource returns null if neither the environment nor the release contains an update URL', () => {
    expect(updateSource({}, freshDirectory())).toBeNull()
    expect(updateSource({ PARTNER_UPDATE_URL: '' }, freshDirectory())).toBeNull()
  })

  test("PARTNER_UPDATE_URL overrides the release's own update source", () => {
    const dist = distWith(JSON.stringify({ url: URL_THERE, page: PAGE }))
    expect(updateSource({}, dist)).toEqual({ address: URL_THERE, page: PAGE, from: 'this release' })
    const own = { address: 'https://mirror.example', page: null, from: 'PARTNER_UPDATE_URL' }
    expect(updateSource({ PARTNER_UPDATE_URL: own.address }, dist)).toEqual(own)
  })

  test.each(['', '{', 'null', '[]', '{"url":1}', '"https://x.example"'])(
    'updateSource ignores a damaged update file: %j',
    (text) => {
      expect(updateSource({}, distWith(text))).toBeNull()
    },
  )

  test('updateSource ignores a page URL that is not allowed and an update file that is a directory', () => {
    const dist = freshDirectory()
    mkdirSync(join(dist, UPDATE_FILE))
    expect(updateSource({}, dist)).toBeNull()
    expect(updateSource({}, distWith(JSON.stringify({ url: URL_THERE, page: 'javascript:alert(1)' })))?.page).toBeNull()
  })
})

describe('allowed update URLs', () => {
  test.each([URL_THERE, 'http://127.0.0.1:8080/latest', 'http://localhost/latest', 'http://[::1]:8080/'])(
    'parseUpdateUrl allows the URL %s',
    (address) => expect(parseUpdateUrl(address)?.href).toBe(address),
  )

  test.each([
    ...['http://releases.example/latest', 'ftp://releases.example', 'file:///etc/passwd', 'releases.example', ''],
    ...['https://', ...words('https://me:secret@releases.example https://me@releases.example')],
    ...words('https://releases.example?key=1 https://releases.example/#1 https:\\\\releases.example'),
    ...[' https://releases.example', 'https://a.example/\n'],
    ...['https://releases.example/\u001b[31m', `https://releases.example/${'a'.repeat(3000)}`],
  ])('parseUpdateUrl does not allow the URL %j', (address) => expect(parseUpdateUrl(address)).toBeNull())
})
