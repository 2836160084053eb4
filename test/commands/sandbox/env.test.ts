import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Environment, freshDirectory, freshHome, runPartner, runShell } from '../../support/partner.ts'
import { freePort } from '../../support/raw-server.ts'
import { expectRefusal, refused } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { until } from '../../support/until.ts'

/** A new home directory and a new temporary directory, which contains no tokens of other sandboxes. */
const quietHome = (): Environment => ({ ...freshHome(), TMPDIR: freshDirectory() })

async function serving(env: Environment) {
  const sandbox = await startSandboxProcess(['--data', ':memory:'], env)
  onTestFinished(async () => void (await sandbox.stop()))
  return sandbox
}

describe('sandbox env', () => {
  test('sandbox env prints the shell variables for the running sandbox', async () => {
    const env = quietHome()
    const { baseUrl } = await serving(env)
    const script =
      'eval "$(partner sandbox env)"; partner inbound balance GIFT1-00000100-AAAA --json; echo $PARTNER_BASE_URL'
    const done = await runShell(script, { env })
    expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"remainingAmount":100') })
    expect(done.stdout).toContain(`\n${baseUrl}\n`)
    const { stdout } = await runPartner(['sandbox', 'env', '--json'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ baseUrl })
    expect(schemaViolations('sandbox env', stdout)).toEqual([])
  })

  test('sandbox env unsets PARTNER_PROFILE because it would override the other variables', async () => {
    const env = { ...quietHome(), PARTNER_PROFILE: 'sandbox' }
    const { baseUrl } = await serving(env)
    const done = await runShell('eval "$(partner sandbox env)"; partner bookings get BK-1001 --dry-run', { env })
    expect(done, done.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`${baseUrl}/Bookings/BK-1001`) })
  })

  test('sandbox env prints the same lines as sandbox start', async () => {
    const env = quietHome()
    const started = startPartner(['sandbox', 'start', '--data', ':memory:'], { env, isService: true })
    await until(() => started.said.stdout.includes('PARTNER_TIMEZONE='))
    expect((await runPartner(['sandbox', 'env'], { env })).stdout).toBe(started.said.stdout)
    started.process.kill()
    await started.ended
  })

  test('sandbox env requires --base-url if several sandboxes are running', async () => {
    const env = quietHome()
    const [one, other] = [await serving(env), await serving(env)]
    const run = await runPartner(['sandbox', 'env'], { env })
    expectRefusal(run, { code: 2, says: '2 sandboxes are running' })
    expect(run.stderr).toContain(one.baseUrl)
    const named = await runPartner(['sandbox', 'env', '--base-url', other.baseUrl], { env })
    expect(named.stdout).toContain(`export PARTNER_BASE_URL=${other.baseUrl}\n`)
  })

  test('sandbox env ignores the leftover token of a killed sandbox', async () => {
    const env = quietHome()
    const tokens = join(env['TMPDIR'] ?? tmpdir(), `partner-sandbox-${userInfo().username}`)
    mkdirSync(tokens, { mode: 0o700 })
    writeFileSync(join(tokens, String(await freePort())), 'token', { mode: 0o600 })
    await refused(runPartner(['sandbox', 'env'], { env }), 2, /you have no running sandbox\nnext: start/)
    const { baseUrl } = await serving(env)
    expect((await runPartner(['sandbox', 'env'], { env })).stdout).toContain(baseUrl)
  })

  test.each(['http://127.0.0.1:1', 'https://service.example', 'nowhere', ''])(
    'sandbox env refuses --base-url %j',
    async (url) => {
      const run = await runPartner(['sandbox', 'env', '--base-url', url], { env: quietHome() })
      expectRefusal(run, { code: 2, says: /you have no sandbox running|is not the address of a running sandbox/ })
    },
  )
})
