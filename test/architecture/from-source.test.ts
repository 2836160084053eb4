import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome, NODE, ROOT, runProgram } from '../support/partner.ts'

test('bin/dev.js can run any command from source, including the sandbox', async () => {
  const run = (...args: string[]) => runProgram(NODE, [join(ROOT, 'bin', 'dev.js'), ...args], { env: freshHome() })
  const { code, stdout, stderr } = await run('giftcards', 'get', 'GIFT1-00000100-AAAA', '--json', '-p', 'sandbox')
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ remainingAmount: 100, status: 'Active' })
  expect((await run('sandbox', '_flags')).stderr).toContain('unknown command "sandbox _flags"')
})
