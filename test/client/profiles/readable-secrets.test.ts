import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseProfiles } from '../../../src/client/profiles/read.ts'
import { readReadableSecrets } from '../../../src/client/profiles/readable-secrets.ts'
import { freshDirectory } from '../../support/partner.ts'

test('readReadableSecrets runs no commands and silently skips every secret that it cannot read', async () => {
  const directory = freshDirectory()
  const path = (name: string) => join(directory, name)
  writeFileSync(path('key'), 'from-a-file\n')
  chmodSync(path('key'), 0o644)
  writeFileSync(path('binary'), Buffer.from([0xff, 0xfe]))
  mkdirSync(path('folder'))
  const source = (signingSecret: object, apiKey?: object) => ({ signingSecret, ...(apiKey ? { apiKey } : {}) })
  const profiles = {
    stored: source({ value: 'stored-secret' }, { value: 'stored-key' }),
    variable: source({ env: 'MY_SECRET' }, { env: 'NOT_SET' }),
    file: source({ file: '~/key' }),
    command: source({ command: `touch ${path('ran')}; echo secret` }),
    missing: source({ file: path('none') }),
    below: source({ file: path('key/none') }),
    folder: source({ file: path('folder') }),
    binary: source({ file: path('binary') }),
  }
  const { byName } = parseProfiles(JSON.stringify({ profiles }), 'profiles.json')
  const env = {
    HOME: directory,
    MY_SECRET: 'from-a-variable',
    PARTNER_API_KEY: 'key-1',
    PARTNER_SIGNING_SECRET_FILE: path('key'),
  }
  expect(await readReadableSecrets(byName, env)).toEqual([
    { name: 'the signing secret of profile stored', profile: 'stored', secret: 'stored-secret' },
    { name: 'the signing secret of profile variable', profile: 'variable', secret: 'from-a-variable' },
    { name: 'the signing secret of profile file', profile: 'file', secret: 'from-a-file' },
    {
      name: 'the signing secret in the file named by PARTNER_SIGNING_SECRET_FILE',
      profile: null,
      secret: 'from-a-file',
    },
    { name: 'the API key of profile stored', profile: null, secret: 'stored-key' },
    { name: 'the API key in PARTNER_API_KEY', profile: null, secret: 'key-1' },
  ])
  expect(() => writeFileSync(path('ran'), '', { flag: 'wx' })).not.toThrow()
})
