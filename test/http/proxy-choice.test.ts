import { expect, test } from 'vitest'
import { chooseProxy } from '../../src/http/proxy-choice.ts'

const PROXY = 'http://till:secret@proxy.example:8080'
const chosen = (origin: string, env: Readonly<Record<string, string>>) => chooseProxy(new URL(origin), env)

test.each([
  ['service.example', 'https://service.example'],
  ['example', 'https://service.example'],
  ['.example', 'https://service.example'],
  ['*.example', 'https://service.example'],
  ['other.test SERVICE.example', 'https://service.example.'],
  ['none.invalid,*', 'https://service.example'],
  ['service.example:8443', 'https://service.example:8443'],
  ['service.example:443', 'https://service.example'],
  ['2001:db8::1', 'https://[2001:db8::1]'],
  ['[2001:db8::1]:443', 'https://[2001:db8::1]'],
])('NO_PROXY=%s exempts %s', (noProxy, origin) => {
  expect(chosen(origin, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy })).toBeNull()
  expect(chosen(origin, { HTTPS_PROXY: PROXY, no_proxy: noProxy, NO_PROXY: '' })).toBeNull()
})

test.each([
  ['*.service.example', 'https://service.example'],
  ['vice.example', 'https://service.example'],
  ['service.example:8443', 'https://service.example'],
  ['*:80', 'https://service.example'],
  ['', 'https://service.example'],
])('NO_PROXY=%s does not exempt %s', (noProxy, origin) => {
  expect(chosen(origin, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy })).toMatchObject({
    value: PROXY,
    label: 'the proxy proxy.example:8080 (HTTPS_PROXY)',
  })
})

test('chooseProxy prefers the lower-case variable and chooses no proxy for loopback addresses', () => {
  const env = { https_proxy: 'http://small.example:1', HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY }
  expect(chosen('https://service.example', env)?.label).toBe('the proxy small.example:1 (https_proxy)')
  for (const origin of ['http://127.0.0.1:4010', 'https://localhost', 'http://[::1]:1'])
    expect(chosen(origin, env)).toBeNull()
  expect(chosen('https://service.example', { HTTP_PROXY: PROXY })).toBeNull()
})

test('chooseProxy refuses an invalid proxy address without showing it', () =>
  expect(() => chosen('https://service.example', { HTTPS_PROXY: 'till:secret@proxy' })).toThrow(
    /^the proxy in HTTPS_PROXY is not an http:\/\/ or https:\/\/ address$/,
  ))
