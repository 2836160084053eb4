import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../support/compile.ts'
import { freshDirectory, freshHome, PARTNER, ROOT, runPartner, runProgram } from '../support/partner.ts'

const PAGE = readFileSync(join(ROOT, 'docs', 'openapi.md'), 'utf8')
const [, CLIENT = ''] = /```ts\n(.*?)```/s.exec(PAGE) ?? []
const [, SHOWN = ''] = /\$ partner sandbox exec -- node [^\n]*client\.ts\n(.*?)```/s.exec(PAGE) ?? []
const [, GENERATE = ''] = /openapi-typescript@7 (openapi-typescript .*)\n/.exec(PAGE) ?? []

/**
 * Creates the directory that the page describes, with the types that the page's command generates. Uses the locally
 * installed generator, so that the test needs no network.
 */
async function generated(): Promise<string> {
  const directory = freshDirectory()
  const source = join(directory, 'src')
  mkdirSync(source)
  const { stdout } = await runPartner(['api', 'spec'], { env: freshHome() })
  writeFileSync(join(source, 'openapi.json'), stdout)
  const [, ...args] = GENERATE.split(' ')
  const generator = join(ROOT, 'typed-client', 'node_modules', 'openapi-typescript', 'bin', 'cli.js')
  const made = await runProgram(process.execPath, [generator, ...args], { cwd: source })
  expect(made, made.stderr).toMatchObject({ code: 0 })
  writeFileSync(join(source, 'client.ts'), CLIENT)
  return directory
}

test('the typed client in docs/openapi.md compiles and prints the output shown on the page', async () => {
  const directory = await generated()
  expect(compile(directory)).toBe('')
  const client = [process.execPath, '--experimental-strip-types', join(directory, 'src', 'client.ts')]
  const env = { ...freshHome(), NODE_NO_WARNINGS: '1' }
  const run = await runProgram(process.execPath, [PARTNER, 'sandbox', 'exec', '--', ...client], { env })
  expect(run).toEqual({ code: 0, stdout: SHOWN, stderr: '' })
})

test('the typed client does not compile if it uses an unknown path or member, or omits a required member', async () => {
  const directory = await generated()
  const wrong = {
    'path.ts': CLIENT.replace('/GiftCards/redeem', '/GiftCards/refund'),
    'member.ts': CLIENT.replace('card.status', 'card.state'),
    'type.ts': CLIENT.replace('amount: 12.5', "amount: '12.50'"),
    'missing.ts': CLIENT.replace('cardNumber, amount: 12.5', 'cardNumber'),
  }
  for (const [name, text] of Object.entries(wrong)) writeFileSync(join(directory, 'src', name), text)
  const said = compile(directory)
  for (const name of Object.keys(wrong)) expect(said).toContain(name)
  expect(said).not.toContain('client.ts')
})
