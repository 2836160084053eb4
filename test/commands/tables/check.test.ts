import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { freshDirectory, freshHome, runPartner, runShell, TOOL_IN_SHELL } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { env, run, json } = await venueOfThisFile()

const ALL = words('T1 T2 T3 T4 T5 T6 T7 T8 T9 P1 P2 P3 P4 P5 P6 B1 B2 B3 B4 C1')

function fileOf(...lines: readonly string[]): string {
  const file = join(freshDirectory(), 'tables.csv')
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return file
}

describe('tables check', () => {
  test('tables check exits with code 0 if all names match the service', async () => {
    const done = await run('tables', 'check', fileOf(...ALL))
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toMatch(/^T1 +T1 +Main Dining +same +1$/m)
    expect(done.stderr).toContain('all 20 names match the service')
  })

  test("tables check reports the service's table for each name and writes a map for sales commands", async () => {
    const file = fileOf('id,table', '1,t01', '2,Table 8', '3,B 1', '4,"T4,T5"', '5,4', '6,Z1', '7,T1')
    const map = `${file}.map`
    const rows = await run('tables', 'check', file, '--map-out', map, '-o', 'ndjson')
    expect(reportedError(rows)).toMatchObject({ exitCode: 11, details: { unresolved: 2 } })
    const found = parseNdjson(rows.stdout)
    expect(found.slice(0, 7)).toMatchObject([
      { pos: 't01', service: 'T1', kind: 'spelling', differences: ['case', 'zeros'], doubled: true, lines: [2] },
      { pos: 'Table 8', service: 'T8', kind: 'spelling', differences: ['prefix'], doubled: false },
      { pos: 'B 1', service: 'B1', tableId: 'tbl-b1', section: 'Bar', differences: ['spaces'] },
      { pos: 'T4,T5', service: 'T4', kind: 'joined', parts: ['T4', 'T5'] },
      { pos: '4', service: null, kind: 'ambiguous', candidates: [{ name: 'T4' }, { name: 'P4' }, { name: 'B4' }] },
      { pos: 'Z1', service: null, kind: 'missing', candidates: [] },
      { pos: 'T1', service: 'T1', kind: 'same', doubled: true, next: 'lines 2, 8 refer to the same table: keep one' },
    ])
    expect(found[7]).toMatchObject({ pos: null, kind: 'unused', service: 'T2' })
    expect(readFileSync(map, 'utf8')).toBe('pos,service\nt01,T1\nTable 8,T8\nB 1,B1\n"T4,T5",T4\n4,\nZ1,\nT1,T1\n')
    const again = await run('tables', 'check', file, '--map-out', map)
    expectRefusal(again, { code: 2, says: `--map-out: ${map} already exists`, next: 'add --yes to replace it' })
    expect(await run('tables', 'check', file, '--map-out', map, '--yes')).toMatchObject({ code: 11 })
  })

  test('tables check lists only the tables that occur in a sales file', async () => {
    const sales = fileOf('{"table":{"number":"T1"}}', '{"table":{"number":"T1"}}', '{"bookingId":"BK-1"}')
    const rows = await json('tables', 'check', sales)
    expect(rows).toMatchObject([{ pos: 'T1', kind: 'same', lines: [1, 2], doubled: false }])
  })

  test('tables check accepts standard input and the flags --column and --date', async () => {
    const line = `printf 'x,y\\nT1,T2\\n' | ${TOOL_IN_SHELL} tables check - --column y --date tomorrow --dry-run`
    const done = await runShell(line, { env: { ...freshHome(), ...env } })
    expect(done.stdout).toMatch(/^GET .*\/Bookings\/tables\?Date=\d{4}-\d\d-\d\d&Duration=15$/m)
    expect(done.stdout.match(/Bookings\/tables/g)).toHaveLength(1)
  })

  test('tables check requests the free tables for seven days to find all tables', async () => {
    const days: string[] = []
    const server = await startRawServer((request) => {
      days.push(new URL(request.target, 'http://a').searchParams.get('Date') ?? '')
      const today = { _id: `t${days.length}`, name: String(days.length) }
      const tables = [today, null, { name: null }, { _id: 'all', name: 'A' }]
      return answers(200, [{ sectionName: 'S', tables }])
    })
    const done = await server.run(['tables', 'check', fileOf('1', '2', '3', '4', '5', '6', '7', 'A'), '--json'])
    expect([done.code, done.stderr]).toEqual([0, 'all 8 names match the service\n'])
    expect(new Set(days).size).toBe(7)
    expect(JSON.parse(done.stdout)).toHaveLength(8)
  })

  test.each([
    [['nowhere.csv'], 'T1', 'nowhere.csv cannot be read: there is no such file'],
    [['.'], 'T1', '. cannot be read: it is a directory'],
    [['FILE'], '', 'has no table names'],
    [['FILE', '--column', 'x'], 'T1', '--column: '],
    [['FILE', '--map-out', '/nowhere/at/all.csv'], 'T1', '--map-out: all.csv cannot be written to /nowhere/at'],
    [['FILE', '--date', 'someday'], 'T1', '--date'],
  ])('tables check refuses the arguments %j without sending a request', async (args, content, says) => {
    const given = args.map((word) => (word === 'FILE' ? fileOf(content) : word))
    const done = await runPartner(['tables', 'check', ...given], { env: freshHome(), cwd: freshDirectory() })
    expectRefusal(done, { code: 2, says })
  })

  test('tables check requires a profile to write a map, and refuses a file that is not UTF-8', async () => {
    const file = fileOf('T1')
    const map = `${file}.map`
    await refused(runPartner(['tables', 'check', file, '--map-out', map], { env: freshHome() }), 4, 'profile')
    expect(() => readFileSync(map)).toThrow()
    writeFileSync(file, Buffer.from('\ufeffT1\n', 'utf16le'))
    expectRefusal(await run('tables', 'check', file), { code: 2, says: "is UTF-16, as PowerShell's > writes it" })
    writeFileSync(file, Buffer.from([0x54, 0xff]))
    expectRefusal(await run('tables', 'check', file), { code: 2, says: 'line 1 is not UTF-8' })
  })
})
