import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory, freshHome, NODE, runPartner } from '../../../support/partner.ts'
import { startListening } from '../../../webhooks/listener/listening.ts'

const KEY = 'profile-key-9d41c7'
const SIGNING = 'profile-signing+22fa'
const SHORT = 'abc'

/**
 * Creates three profiles. One has a stored key, one has a signing secret in a file, and one has a short key in a
 * variable.
 */
async function homeWithSecrets() {
  const home = freshHome()
  const file = join(freshDirectory(), 'secret')
  writeFileSync(file, `${SIGNING}\n`, { mode: 0o600 })
  const add = (name: string, more: readonly string[], input = '') =>
    runPartner(['profiles', 'add', name, '--base-url', 'https://pos.example', ...more], { env: home, input })
  expect(await add('one', ['--api-key-stdin', '--signing-secret', `file:${file}`], KEY)).toMatchObject({ code: 0 })
  expect(await add('two', ['--api-key', 'env:POS_KEY'])).toMatchObject({ code: 0 })
  return {
    ...home,
    POS_KEY: SHORT,
    COPY_OF_SHORT: SHORT,
    WITH_SHORT: `${SHORT}def`,
    LEGACY_KEY: KEY,
    AUTH: `Bearer ${KEY}`,
    HOOK_URL: `https://pos.example/?sign=${encodeURIComponent(SIGNING)}`,
    PGPASSWORD: 'database-password',
    DATABASE_URL: 'postgres://pos:database-password@db/pos',
    PGPASSFILE: '/etc/pos/pgpass',
    PLAIN: 'kept',
  }
}

/** Returns a shell command that writes its environment variables to a file and reads its standard input to the end. */
const dumpTo = (out: string) =>
  `'${NODE}' -e 'require("fs").writeFileSync("${out}", JSON.stringify(process.env)); process.stdin.resume()'`

test.each([
  ['sandbox exec', (line: string) => ['sandbox', 'exec', '--', 'sh', '-c', `${line} < /dev/null`]],
  ['certify', (line: string) => ['certify', '--run', line, '--only', 'no-redirect-with-key']],
  [
    'sandbox rehearse',
    (line: string) => ['sandbox', 'rehearse', '--speed', 'max', '--wait', '--', 'sh', '-c', `${line} < /dev/null`],
  ],
  ['webhooks listen --exec', null],
])(
  '%s removes profile secrets and database passwords from the environment of the command that it runs',
  async (_name, args) => {
    const out = join(freshDirectory(), 'environment')
    const env = await homeWithSecrets()
    if (args) await runPartner(args(dumpTo(out)), { env })
    else {
      const listener = await startListening(['--exec', dumpTo(out)], { env })
      expect(await listener.post('{"eventType":"BOOKING_CREATED"}')).toBe(200)
    }
    const seen: Record<string, string> = JSON.parse(readFileSync(out, 'utf8'))
    expect(seen).toMatchObject({ PLAIN: 'kept', PGPASSFILE: '/etc/pos/pgpass', WITH_SHORT: `${SHORT}def` })
    const dropped = ['POS_KEY', 'COPY_OF_SHORT', 'LEGACY_KEY', 'AUTH', 'HOOK_URL', 'PGPASSWORD', 'DATABASE_URL']
    expect(Object.keys(seen).filter((name) => dropped.includes(name))).toEqual([])
    expect(JSON.stringify(seen)).not.toMatch(/profile-key|profile-signing|database-password/)
  },
)
