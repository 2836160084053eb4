import { expect, test } from 'vitest'
import { profileCard, profileList } from '../../../src/features/profiles/views.ts'
import { profile } from '../sample-records.ts'
import { card, table } from '../shown.ts'

test('the profiles table marks the current profile', async () =>
  expect(
    await table([profile, { name: 'dev', current: false, baseUrl: 'https://dev.example.com' }], profileList),
  ).toEqual([
    'NAME    ENVIRONMENT  MODE  BASE URL                 TIMEZONE          API KEY            SIGNING SECRET        TAGS',
    'live *  production         https://api.example.com  Australia/Sydney  ••••1234 (stored)  env:SECRET (not set)',
    'dev                        https://dev.example.com',
  ]))

test('the profile card shows all settings, including unset ones', async () =>
  expect(await card({ ...profile, timezone: null }, profileCard, profileList)).toEqual([
    'Profile live  production  current',
    '',
    '  Base URL          https://api.example.com',
    '  API key           ••••1234 (stored)',
    '  Timezone          not set; times are shown in UTC',
    '  Location ID       loc-1',
    '  Signing secret    env:SECRET (not set)',
    '  Partner name      acme',
    '  Signature header  X-Partner-Signature',
  ]))

test('the profile card of the built-in sandbox omits settings that are not set', async () => {
  const unset = { environment: null, baseUrl: null, timezone: null, apiKey: null, signingSecret: null, mode: null }
  expect(await card({ name: 'sandbox', current: false, builtIn: true, ...unset }, profileCard, profileList)).toEqual([
    'Profile sandbox  built in',
    '',
    '  Service  the sandbox, which has its own address, keys and time zone',
  ])
})

test('the profile card highlights a missing secret', async () => {
  const lines = await card(profile, profileCard, profileList, { color: true })
  expect(lines.join('\n')).toContain('\u001b[31menv:SECRET (not set)\u001b[39m')
})
