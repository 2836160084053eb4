import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs, REAL_CLOCK, skipWithout } from '../../support/needs.ts'
import { freshDirectory, NODE, PARTNER, runPartner, runProgram } from '../../support/partner.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { unixOnly } from '../../support/windows.ts'
import { words } from '../../support/words.ts'
import { runDoctor } from './run-doctor.ts'

needs(unixOnly('Windows has no cron; see test/windows/doctor-cron.test.ts'))

const sandbox = await startSharedSandbox()

/** Creates a user whose profile is in the default directory. Returns the user's environment variables. */
async function user(apiKey: readonly string[], input = '') {
  const own = {
    ...{ HOME: freshDirectory(), LOGNAME: 'till', SHELL: '/bin/sh', TILL_KEY: sandbox.apiKey },
    ...{ PARTNER_CONFIG_DIR: undefined, PARTNER_DATA_DIR: undefined, PARTNER_CACHE_DIR: undefined },
    PARTNER_SANDBOX_HAR: undefined,
  }
  const add = ['profiles', 'add', 'till', '--base-url', sandbox.baseUrl, '--timezone', 'Australia/Sydney', ...apiKey]
  const run = await runPartner(add, { env: own, input })
  expect(run.code, run.stderr).toBe(0)
  return own
}

test('doctor --cron names the shell variables that a cron job does not inherit', async () => {
  const env = await user(['--api-key', 'env:TILL_KEY'])
  expect((await runDoctor(env)).code).toBe(0)
  const { cause, rows, row } = await runDoctor({ ...env, NO_PROXY: 'a.example' }, ['--cron'])
  expect(cause).toMatchObject({ name: 'secrets', message: expect.stringContaining('TILL_KEY, which is not set') })
  const message = 'set here, but not for a cron job: NO_PROXY, TILL_KEY'
  expect(row('cron variables')).toMatchObject({ status: 'warn', message })
  expect(rows.map(({ name }) => name).slice(0, 3)).toEqual(['cron variables', 'cron path', 'node'])
  expect(JSON.stringify(rows)).not.toContain(sandbox.apiKey)
})

test('doctor --cron passes for a profile that needs no variables', async (context) => {
  skipWithout(context, REAL_CLOCK)
  const env = await user(['--api-key-stdin'], sandbox.apiKey)
  const { code, row } = await runDoctor({ ...env, TILL_KEY: undefined }, ['--cron', '--profile', 'till'])
  expect(code).toBe(0)
  expect(row('cron variables')?.status).toBe('ok')
  expect(row('key')?.status).toBe('ok')
})

test('doctor --cron finds no profile if only the current shell sets PARTNER_CONFIG_DIR', async () => {
  const env = await user(['--api-key-stdin'], sandbox.apiKey)
  const directory = join(env.HOME, '.config', 'partner')
  const { cause, row } = await runDoctor({ ...env, HOME: freshDirectory(), PARTNER_CONFIG_DIR: directory }, ['--cron'])
  expect(cause?.name).toBe('profile')
  expect(row('cron variables')?.message).toContain('PARTNER_CONFIG_DIR')
})

test('doctor --cron warns that a cron job resolves relative paths against the home directory', async () => {
  const env = await user(['--api-key-stdin'], sandbox.apiKey)
  const cwd = join(env.HOME, 'copies')
  mkdirSync(cwd)
  const run = await runPartner(['doctor', '--cron', '--json', '--sync', 'b.ndjson'], { env, cwd })
  const { rows } = JSON.parse(run.stdout) as { rows: { name: string; next: string | null }[] }
  const message = `a cron job starts in ${env.HOME}, where b.ndjson is a different file`
  const absolute = `partner doctor --cron --sync ${cwd}/b.ndjson`
  expect(rows.find(({ name }) => name === 'cron directory')).toMatchObject({ message, next: absolute })
})

test("doctor --cron suggests full paths for the crontab if partner is not in cron's PATH", async () => {
  const { row } = await runDoctor(await user(['--api-key-stdin'], sandbox.apiKey), words('--cron --profile sandbox'))
  const path = row('cron path')
  if (path?.status === 'warn') expect(path.next).toBe(`${NODE} ${PARTNER} doctor`)
  expect(path?.status).toMatch(/^(?:ok|warn)$/)
})

test('doctor --cron prints a failed row if doctor exits with an unexpected code when run as a cron job', async () => {
  const env = await user(['--api-key-stdin'], sandbox.apiKey)
  const program = join(freshDirectory(), 'partner.cjs')
  const check = 'if (process.env.TILL_KEY === undefined) process.exit(7)'
  writeFileSync(program, `${check}\nrequire(${JSON.stringify(PARTNER)})\n`)
  const run = await runProgram(NODE, [program, 'doctor', '--cron', '--json'], { env })
  const { rows } = JSON.parse(run.stdout) as { rows: readonly unknown[] }
  const message = 'run as a cron job, doctor exited with code 7'
  expect(rows.at(-1)).toEqual({ name: 'cron', status: 'fail', message, next: 'partner doctor' })
  expect(run.code).toBe(1)
})
