import { describe, expect, test } from 'vitest'
import { runDoctor } from '../commands/doctor/run-doctor.ts'
import { needs } from '../support/needs.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { WINDOWS } from '../support/windows.ts'
import { words } from '../support/words.ts'

const sandbox = await startSharedSandbox()

describe('doctor --cron on Windows', () => {
  needs(WINDOWS)

  test('doctor --cron checks what differs for a scheduled task', async () => {
    const { cause, row, rows } = await runDoctor(sandbox.env, words('--cron --sync b.ndjson'))
    expect(cause).toBeUndefined()
    expect(rows.slice(0, 4)).toMatchObject([
      {
        name: 'cron variables',
        status: 'warn',
        message: expect.stringMatching(/only if they are set for your account: .*PARTNER_API_KEY, PARTNER_BASE_URL/),
      },
      { name: 'cron path', status: 'skip' },
      {
        name: 'cron directory',
        message: expect.stringMatching(
          /^a scheduled task starts in C:\\windows\\System32, where b\.ndjson is another file$/i,
        ),
      },
      { name: 'node' },
    ])
    expect(row('key')?.status).toBe('ok')
  })
})
