import { expect, onTestFinished, test } from 'vitest'
import { runDoctor } from '../commands/doctor/run-doctor.ts'
import { needs } from '../support/needs.ts'
import { freshHome, NODE, runProgram } from '../support/partner.ts'
import { WINDOWS } from '../support/windows.ts'

needs(WINDOWS)

/** A variable that is set in the user's account settings during a test. */
const OF_ACCOUNT = 'PARTNER_OF_ACCOUNT'

const registry = (...args: readonly string[]) =>
  runProgram(NODE, ['-e', `require('child_process').execFileSync('reg.exe', ${JSON.stringify(args)})`])

test('doctor --cron lists the shell variables that a scheduled task does not have', async () => {
  const value = ['HKCU\\Environment', '/v', OF_ACCOUNT]
  expect(await registry('add', ...value, '/d', 'x', '/f')).toMatchObject({ code: 0 })
  onTestFinished(async () => void (await registry('delete', ...value, '/f')))
  const env = { ...freshHome(), [OF_ACCOUNT]: 'x', NO_PROXY: 'a.example' }
  const { rows, row } = await runDoctor(env, ['--cron', '--profile', 'sandbox', '--sync', 'venue.ndjson'])
  expect(row('cron variables')?.status).toBe('warn')
  expect(row('cron variables')?.message).toMatch(/^set here, but not for a scheduled task: NO_PROXY, PARTNER_CACHE_DIR/)
  expect(row('cron variables')?.message).not.toContain(OF_ACCOUNT)
  expect(row('cron directory')?.message).toBe(
    'a scheduled task starts in C:\\windows\\System32, where venue.ndjson is a different file',
  )
  expect(rows.map(({ name }) => name)).not.toContain('cron path')
  expect(row('key')?.status).toBe('ok')
})
