import { expect, test } from 'vitest'
import { checkBaseUrl, maskBaseUrl } from '../../../src/client/profiles/base-url.ts'
import { failureOf } from '../../support/failure.ts'

const refusal = (text: string) => failureOf(() => checkBaseUrl(text, '--base-url'))

test.each([
  ['https://api.example.com', 'https://api.example.com/'],
  ['https://api.example.com/', 'https://api.example.com/'],
  ['https://api.example.com/pos/v1/', 'https://api.example.com/pos/v1'],
  ['HTTPS://API.example.com:8443/A', 'https://api.example.com:8443/A'],
  ['http://localhost:4010', 'http://localhost:4010/'],
  ['http://127.0.0.1:4010/x', 'http://127.0.0.1:4010/x'],
  ['http://127.8.9.1', 'http://127.8.9.1/'],
  ['http://[::1]:80/', 'http://[::1]/'],
])('checkBaseUrl accepts %s and keeps its path prefix', (text, href) =>
  expect(checkBaseUrl(text, '--base-url').href).toBe(href),
)

test.each([
  '',
  'api.example.com',
  '/path',
  'ftp://x.example',
  'https:x.example',
  'https:\\\\x',
  'https://',
  'https://a b',
  'https://x\n.example',
  'file:///etc/passwd',
  'https://[::1',
  'javascript:1',
])('checkBaseUrl refuses %j, which is not an absolute URL', (text) =>
  expect(refusal(text)).toMatchObject({ code: 'USAGE', message: expect.stringContaining('must be an absolute URL') }),
)

test.each([
  'http://api.example.com',
  'http://localhost.example.com',
  'http://0.0.0.0',
  'http://128.0.0.1',
  'http://127.0.0.1.example.com',
  'http://[::2]',
  'http://127.example',
])('checkBaseUrl refuses plain http to another machine: %s', (text) =>
  expect(refusal(text)).toMatchObject({ code: 'USAGE', message: expect.stringContaining('must use https') }),
)

test.each([
  ['https://ann:s3cr3t-pw@x.example', 'user name or password'],
  ['https://s3cr3t-pw@x.example', 'user name or password'],
  ['https://:s3cr3t-pw@x.example', 'user name or password'],
  ['https://@x.example', 'user name or password'],
  ['https://x.example/v1?key=s3cr3t', 'query (?) or a fragment'],
  ['https://x.example/?', 'query (?) or a fragment'],
  ['https://x.example/#s3cr3t', 'query (?) or a fragment'],
  ['https://x.example#', 'query (?) or a fragment'],
])('checkBaseUrl refuses %s because of its %s, without printing a secret', (text, says) => {
  const { message, hint } = refusal(text)
  expect(message).toContain(says)
  expect(`${message}${hint}`).not.toContain('s3cr3t')
})

test('an error about a base URL names the setting that contains the URL', () =>
  expect(() => checkBaseUrl('x', 'profile dev')).toThrow('the base URL (profile dev) must be'))

test('maskBaseUrl masks the credentials and the query string of a base URL', () => {
  expect(maskBaseUrl('https://x.example/v1')).toBe('https://x.example/v1')
  expect(maskBaseUrl('https://ann:s3cr3t@x.example/v1?k=s3cr3t#s3cr3t')).toBe('https://••••@x.example/v1?••••')
  expect(maskBaseUrl('s3cr3t')).toBe('(not a URL)')
})
