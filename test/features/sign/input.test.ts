import { expect, test } from 'vitest'
import { readSigned } from '../../../src/features/sign/input.ts'
import type { Host } from '../../../src/terminal/runtime/host.ts'

const nothing = async () => {}

/** Reads the body as `sign verify` does when it is called by a program or from the command line. */
async function bodyOf(body: string, isCalledByProgram: boolean): Promise<string> {
  const given = isCalledByProgram ? { given: { args: {}, flags: { body } } } : {}
  const env = { PARTNER_SIGNING_SECRET: 'secret', PARTNER_CONFIG_DIR: '/nonexistent' }
  const host = { env, sandbox: null, signal: new AbortController().signal, ...given } as unknown as Host
  const parts = { host, warn: nothing, debug: nothing } as unknown as Parameters<typeof readSigned>[1]
  const read = await readSigned({ url: 'https://service.example/', body }, parts)
  return Buffer.from(read.body).toString()
}

test.each(['@package.json', '-', '@/nonexistent', 'file:package.json', 'env:HOME'])(
  'sign verify takes the body %s literally if a program calls the command',
  async (body) => expect(await bodyOf(body, true)).toBe(body),
)

test('sign verify reads the body from a file if --body @FILE is given on the command line', async () =>
  expect(await bodyOf('@package.json', false)).toContain('"name": "partner"'))
