import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../../support/partner.ts'
import { answers, startRawServer } from '../../../support/raw-server.ts'
import { configureVenues } from '../../../support/venues.ts'

interface Manifest {
  readonly commands: Readonly<
    Record<string, { readonly writes?: string; readonly flags: Readonly<Record<string, unknown>> }>
  >
}

const { commands } = JSON.parse(readFileSync(join(ROOT, '.oclif.manifest.json'), 'utf8')) as Manifest
const writes = Object.entries(commands).filter(([, { writes = 'none' }]) => writes !== 'none')

describe('--profiles on write commands', () => {
  test.each(writes.map(([id]) => id.replaceAll(':', ' ')))('%s rejects --profiles', async (id) => {
    const server = await startRawServer([answers(200, [])])
    const { run } = configureVenues([{ name: 'a', baseUrl: server.baseUrl }])
    for (const given of [
      ['--profiles', 'all'],
      ['--profiles=a', '--yes'],
    ]) {
      const done = await run([...id.split(' '), ...given])
      expect(done).toMatchObject({ code: 2, stdout: '' })
      expect(done.stderr).toBe(
        `error: --profiles is only for reading from many venues: partner ${id} changes data, so it works with one venue at a time
next: nothing was sent; choose one venue with --profile NAME (more: partner help many-venues)
`,
      )
    }
    expect(server.requests).toEqual([])
  })

  test('no write command has a --profiles flag', () => {
    expect(writes.length).toBeGreaterThan(15)
    expect(writes.filter(([, { flags }]) => 'profiles' in flags)).toEqual([])
  })
})
