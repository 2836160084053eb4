import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SecretSource } from '../../../src/client/profiles/profile.ts'
import { expandHome, readSecret } from '../../../src/client/profiles/secret-reading.ts'
import { parseSecretReference, parseStoredSecret, readStoredSecret } from '../../../src/client/profiles/secrets.ts'
import { everything, rejectionOf } from '../../support/failure.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { freshDirectory } from '../../support/partner.ts'

const KEY = 'k3y-AbCdEfGh-9876'

describe('secret references', () => {
  test('a secret reference names a variable, a file or a command', () => {
    expect(parseSecretReference('env:MY_KEY', '--api-key')).toEqual({ env: 'MY_KEY' })
    expect(parseSecretReference('file:/run/key', '--api-key')).toEqual({ file: '/run/key' })
    expect(parseSecretReference('command:pass show a:b', '--api-key')).toEqual({ command: 'pass show a:b' })
  })

  test('a reference to a file is stored with an absolute path unless it starts with ~/', () => {
    expect(parseSecretReference('file:key', '--api-key', '/home/ann')).toEqual({ file: '/home/ann/key' })
    expect(parseSecretReference('file:../key', '--api-key', '/home/ann')).toEqual({ file: '/home/key' })
    expect(parseSecretReference('file:~/key', '--api-key', '/srv')).toEqual({ file: '~/key' })
  })

  const others = ['', 'env:', 'env:A B', 'ENV:X', 'file:', 'file: ', 'command:', 'command:\n']
  test.each([KEY, `env:${KEY}`, `value:${KEY}`, ` env:${KEY}`, ...others])(
    'parseSecretReference refuses %j without printing it',
    async (text) => {
      const failure = await rejectionOf(() => parseSecretReference(text, '--signing-secret'))
      const message = '--signing-secret must be env:VARIABLE, file:PATH or command:COMMAND, not the secret itself'
      expect(failure).toMatchObject({ code: 'USAGE', exitCode: 2, message })
      expect(everything(failure)).not.toContain('k3y')
    },
  )
})

test.each([
  ['~/keys/till', 'linux', '/home/ann/keys/till'],
  ['~\\keys', 'linux', '~\\keys'],
  ['~/keys/till', 'win32', 'C:\\Users\\ann\\keys\\till'],
  ['~\\keys\\till', 'win32', 'C:\\Users\\ann\\keys\\till'],
  ['C:\\keys\\till', 'win32', 'C:\\keys\\till'],
  ['~ann\\till', 'win32', '~ann\\till'],
] as const)('expandHome turns %s on %s into %s', (path, platform, expanded) => {
  expect(expandHome(path, { HOME: '/home/ann', USERPROFILE: 'C:\\Users\\ann' }, platform)).toBe(expanded)
})

describe('reading secrets', () => {
  let root: string
  beforeEach(() => {
    root = freshDirectory()
  })
  const file = (content: string | Uint8Array, mode = 0o600) => {
    const path = join(root, 'key')
    writeFileSync(path, content)
    chmodSync(path, mode)
    return path
  }
  const pipe = () => {
    const path = join(root, 'pipe')
    expect(spawnSync('mkfifo', [path], { timeout: LIMIT_MS }).status).toBe(0)
    return path
  }
  const env = { PATH: process.env['PATH'], HOME: '/home/ann', MY_KEY: KEY }
  const read = (source: SecretSource) => readSecret(source, env, 'API key')

  test('readSecret reads a key from the profile, a variable, a file or a command, without its trailing line break', async () => {
    expect(await read({ value: KEY })).toBe(KEY)
    expect(await read({ env: 'MY_KEY' })).toBe(KEY)
    for (const end of ['', '\n', '\r\n', '\n\n']) expect(await read({ file: file(KEY + end) })).toBe(KEY)
    expect(await read({ file: file(`\uFEFF${KEY}`) })).toBe(KEY)
    expect(await read({ command: `echo ' ${KEY} '` })).toBe(KEY)
  })

  test('readSecret resolves ~/ in the path of a key file against the current home directory', async () => {
    file(KEY)
    expect(await readSecret({ file: '~/key' }, { HOME: root }, 'API key')).toBe(KEY)
  })

  test.each([
    ['GONE', 'not set'],
    ['EMPTY', 'empty'],
  ])('readSecret names the variable %s if it is %s', async (name, state) => {
    const message = `the API key should come from the variable ${name}, which is ${state}`
    const failure = await rejectionOf(() => readSecret({ env: name }, { EMPTY: '' }, 'API key'))
    expect(failure).toMatchObject({ code: 'NO_PROFILE', exitCode: 4, message })
  })

  test.each([
    ['none', 'ENOENT'],
    ['.', 'EISDIR'],
    ['/dev/zero', 'longer than 65536 bytes'],
  ])('readSecret reports the path of an unreadable key file: %s (%s)', async (name, reason) => {
    const path = resolve(root, name)
    const failure = await rejectionOf(() => read({ file: path }))
    expect(failure).toMatchObject({ code: 'NO_PROFILE', message: expect.stringContaining(path) })
    expect(failure.message).toContain(reason)
  })

  test('readSecret reports the path of an empty key file', async () => {
    for (const content of ['', '\n']) {
      const path = file(content)
      expect((await rejectionOf(() => read({ file: path }))).message).toBe(`the API key in ${path} is empty`)
    }
  })

  test('readSecret reads a key from a file that other users can read and warns about the file', async () => {
    const warnings: string[] = []
    const path = file(KEY, 0o640)
    expect(await readSecret({ file: path }, env, 'API key', { warn: (line) => warnings.push(line) })).toBe(KEY)
    expect(warnings).toEqual([`other users can read ${path} (mode 0640); to prevent this: chmod 600 ${path}`])
  })

  test('readSecret reads a key from a pipe, as in PARTNER_API_KEY_FILE=<(pass show key)', async () => {
    const path = pipe()
    const script = `const { spawn } = require('node:child_process')
      spawn('sh', ['-c', 'printf %s ${KEY} > ${path}'], { stdio: 'ignore', timeout: ${LIMIT_MS} })
      import(${JSON.stringify(new URL('../../../src/client/profiles/secret-reading.ts', import.meta.url).href)})
        .then(({ readSecret }) => readSecret({ file: ${JSON.stringify(path)} }, {}, 'API key')).then(console.log)`
    const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: LIMIT_MS })
    expect(stdout).toBe(`${KEY}\n`)
  })

  test('readSecret gives up after the time limit if nothing writes a key to the pipe', async () => {
    const path = pipe()
    const failure = await rejectionOf(() => readSecret({ file: path }, env, 'API key', { limitMs: 300 }))
    const message = `cannot read the API key from ${path}: it is a pipe, and its writer did not finish within 0.3 s`
    expect(failure).toMatchObject({ code: 'NO_PROFILE', exitCode: 4, message })
  })

  test.each([
    [`echo ${KEY}; echo ${KEY} >&2; exit 3`, 'the command that prints the API key failed with exit code 3'],
    ['no-such-program-at-all', 'the command that prints the API key failed with exit code 127'],
    ['kill -9 $$', 'the command that prints the API key was killed by SIGKILL'],
    ['true', 'the API key that its command printed is empty'],
    ['yes', 'the command that prints the API key printed more than 65536 bytes'],
  ])(
    'readSecret does not print the output of a failed command that should print a key: %s',
    async (command, message) => {
      const failure = await rejectionOf(() => read({ command }))
      expect(failure).toMatchObject({ code: 'NO_PROFILE', message })
      expect(everything(failure)).not.toContain('k3y')
    },
  )

  test('readSecret kills a command that hangs without printing a key, even if the command ignores signals', async () => {
    const command = "trap '' TERM INT; while :; do sleep 1; done"
    const failure = await rejectionOf(() => readSecret({ command }, env, 'API key', { limitMs: 300 }))
    expect(failure.message).toBe('the command that prints the API key took longer than 0.3 s and was stopped')
  })

  test("readSecret does not pass partner's own secrets or standard input to the command that prints a secret", async () => {
    const own = { ...env, PARTNER_API_KEY: KEY, PARTNER_SIGNING_SECRET: KEY, VAULT_ADDR: 'http://vault' }
    const listed = await readSecret({ command: 'env; cat' }, own, 'signing secret')
    expect(listed).not.toContain('PARTNER_')
    expect(listed).toContain('VAULT_ADDR=http://vault')
  })

  const odd = [`${KEY} x`, `${KEY}\n${KEY}`, `"${KEY}\t"`, `${KEY}\x00`, `${KEY}é`, `${KEY}\x1b[31m`]
  test.each(odd)(
    'readSecret refuses an API key that is not a valid header value, without printing it: %j',
    async (value) => {
      const message = expect.stringContaining(
        'contains spaces, line breaks or other characters that a key cannot contain',
      )
      for (const source of [{ value }, { file: file(value) }]) {
        const failure = await rejectionOf(() => read(source))
        expect(failure).toMatchObject({ code: 'NO_PROFILE', message })
        expect(everything(failure)).not.toContain('k3y')
      }
    },
  )

  test('readSecret accepts any UTF-8 text as a signing secret but rejects bytes that are not UTF-8', async () => {
    expect(await readSecret({ file: file(' sécret phrase \n') }, env, 'signing secret')).toBe(' sécret phrase ')
    const path = file(new Uint8Array([0xff, 0x41]))
    const failure = await rejectionOf(() => readSecret({ file: path }, env, 'signing secret'))
    expect(failure.message).toBe(`the signing secret in ${path} is not UTF-8 text`)
  })
})

describe('secrets from stdin or a prompt', () => {
  async function* stream(...chunks: (string | Uint8Array)[]) {
    yield* chunks
  }

  test('readStoredSecret removes the trailing line break of a secret, even if the secret arrives in several chunks', async () => {
    expect(parseStoredSecret(`${KEY}\n`, 'API key')).toEqual({ value: KEY })
    expect(await readStoredSecret(stream('k3y-', Buffer.from('12\r\n')), 'API key')).toEqual({ value: 'k3y-12' })
    const bytes = [...Buffer.from('é')].map((byte) => Buffer.from([byte]))
    expect(await readStoredSecret(stream(...bytes), 'signing secret')).toEqual({ value: 'é' })
  })

  const wrong = ['', '\n', `${KEY} ${KEY}`, KEY.repeat(5_000)]
  test.each(wrong)('readStoredSecret refuses text that is not a key without printing the text', async (text) => {
    const failure = await rejectionOf(() => readStoredSecret(stream(text), 'API key'))
    expect(failure.code).toBe('USAGE')
    expect(everything(failure)).not.toContain('k3y')
  })
})
