import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner, runProgram } from '../../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { sandbox, env, run } = await venueOfThisFile()

describe('curl commands printed by --dry-run --curl', () => {
  const variables = (key: string) => ({ PARTNER_API_KEY: key, PARTNER_SECURITY_KEY: 'from-the-variable' })
  const inBash = (script: string, key = sandbox.apiKey) => runProgram('bash', ['-c', script], { env: variables(key) })

  /** Runs the printed command in bash with the sandbox's key and returns curl's output. */
  async function pasted(...args: string[]) {
    const shown = await run(...args, '--dry-run', '--curl')
    expect(shown.code).toBe(0)
    expect(shown.stdout).not.toContain(sandbox.apiKey)
    return inBash(shown.stdout)
  }

  test('the curl command printed for a read command runs in bash', async () => {
    const done = await pasted('bookings', 'statuses')
    expect(JSON.parse(done.stdout)).toEqual(JSON.parse((await run('bookings', 'statuses', '--json')).stdout))
  })

  test('the curl command preserves quotes, dollar signs, backticks, line breaks and non-Latin letters', async () => {
    const notes = `it's "here": $HOME \`id\` \\ !! * \n 小芳 %41 'x'`
    const time = ['--people', '2', '--time', '2026-12-01 18:00', '--notes', notes]
    const { bookingId } = JSON.parse((await pasted('bookings', 'create', ...time)).stdout)
    expect(JSON.parse((await run('bookings', 'get', bookingId, '--json')).stdout).notes).toBe(notes)
  })

  test('the curl command preserves query characters that are special to curl and bash', async () => {
    const done = await pasted('giftcards', 'list', '--sku', `[1-3]{a,b}'"&;$(id)`)
    expect(JSON.parse(done.stdout)).toMatchObject({ items: [] })
  })

  test('the curl commands for a DELETE request and for a POST request without a body run in bash', async () => {
    const [{ id }] = JSON.parse((await run('customers', 'list', '--limit', '1', '--json')).stdout)
    expect(JSON.parse((await pasted('customers', 'unsubscribe', id)).stdout)).toMatchObject({ subscribed: false })
    await run('webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/h')
    await pasted('webhooks', 'delete', 'BOOKING_CREATED', '--yes')
    expect(await run('webhooks', 'get', 'BOOKING_CREATED')).toMatchObject({ code: 3 })
  })

  test('the curl command contains a variable instead of a webhook credential, and stderr names the variable', async () => {
    const args = ['webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/h', '--security-key', 'env:HOOK']
    const withHook = { ...freshHome(), ...env, HOOK: 'hunter2-hunter2' }
    const shown = await runPartner([...args, '--dry-run', '--curl'], { env: withHook })
    expect(shown.stdout).not.toContain('hunter2')
    expect(shown.stderr).toMatch(/PARTNER_API_KEY, PARTNER_SECURITY_KEY/)
    const done = await inBash(shown.stdout)
    expect(JSON.parse(done.stdout)).toMatchObject({ event: 'BOOKING_CREATED' })
    expect((await run('webhooks', 'get', 'BOOKING_CREATED', '--json')).stdout).toContain('"authenticationEnabled":true')
  })

  test('the curl command for a signed request runs in bash', async () => {
    const done = await pasted('inbound', 'balance', 'GIFT1-00000100-AAAA')
    expect(JSON.parse(done.stdout)).toMatchObject({ remainingAmount: 100 })
  })

  test('the curl command sends a binary body unchanged', async () => {
    const directory = freshDirectory()
    writeFileSync(join(directory, 'body'), Buffer.from([0, 255, 10, 39]))
    const server = await startRawServer([answers(200, 'ok')])
    const args = ['api', 'POST', '/x', '--data', '@body', '--header', 'Content-Type: application/octet-stream']
    const shown = await server.run([...args, '--dry-run', '--curl'], { cwd: directory })
    const done = await inBash(shown.stdout, RAW_KEY)
    expect(done).toMatchObject({ code: 0, stdout: 'ok' })
    expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '4', 'x-api-key': RAW_KEY })
  })

  test('the curl command can send a body that exceeds the maximum length of an argument', async () => {
    const directory = freshDirectory()
    const notes = `it's ${'€'.repeat(100_000)} $HOME`
    writeFileSync(join(directory, 'body'), JSON.stringify({ notes, securityKey: 'hunter2-hunter2' }))
    const server = await startRawServer([answers(200, 'ok')])
    const shown = await server.run(['api', 'POST', '/x', '--data', '@body', '--dry-run', '--curl'], { cwd: directory })
    expect(shown.stdout).not.toContain('hunter2')
    writeFileSync(join(directory, 'pasted'), shown.stdout)
    const done = await runProgram('bash', [join(directory, 'pasted')], { env: variables(RAW_KEY) })
    expect(done).toMatchObject({ code: 0, stdout: 'ok' })
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ notes, securityKey: 'from-the-variable' })
  })

  test('--curl warns that the built-in sandbox stops when the command exits, and suggests sandbox start', async () => {
    const args = ['bookings', 'statuses', '--dry-run', '--curl', '--profile', 'sandbox']
    const shown = await runPartner(args, { env: freshHome() })
    expect(shown.stderr).toContain('this sandbox ends when the command ends')
    expect(shown.stderr).toContain('partner sandbox start')
    expect((await run('bookings', 'statuses', '--dry-run', '--curl')).stderr).not.toContain('ends when')
  })

  test('the curl command preserves a header with an empty value', async () => {
    const server = await startRawServer([answers(200, 'ok')])
    const args = ['api', 'GET', '/x', '--header', 'X-Empty:', '--header', 'X-Full: 1', '--dry-run', '--curl']
    await inBash((await server.run(args)).stdout, RAW_KEY)
    expect(server.requests[0]?.headers).toMatchObject({ 'x-empty': '', 'x-full': '1' })
  })

  test('--curl without --dry-run is a usage error', async () =>
    expectRefusal(await run('bookings', 'statuses', '--curl'), { code: 2, says: '--curl needs --dry-run' }))
})
