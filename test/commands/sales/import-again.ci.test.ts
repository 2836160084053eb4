import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../src/client/bulk/journal/entry.ts'
import { ids, openTill, outcomes, results, sale } from '../../client/bulk/importing.ts'
import type { Fault } from '../../money/commit-server.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory } from '../../support/partner.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { sendSignalsTogether, startPartner } from '../../support/running.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { expectPrivate, ownPid } from '../../support/windows.ts'

const lost = (phase: 'before' | 'after'): Fault => ({ kind: 'lost', loss: 'reset', phase })
const refused: Fault = { kind: 'refused', status: 400, body: { message: 'No.' } }
const noList: Fault = { kind: 'refused', status: 503, body: '' }
const MINUTE_MS = 60_000

async function inDoubt(phase: 'before' | 'after') {
  const till = await openTill([sale('T-1')])
  till.server.setFaults('write', 'T-1', [lost(phase)])
  till.server.setFaults('read', 'sales', [noList, noList])
  const run = await till.import('--retries', '0')
  expect(run.code).toBe(11)
  expect(results(run)).toMatchObject([{ outcome: 'unknown', status: null }])
  till.server.setFaults('read', 'sales', [])
  return till
}

describe('repeated sales imports', () => {
  test('a repeated sales import does not resend accepted sales, but reports how many it skipped', async () => {
    const till = await openTill(ids(3).map((id) => sale(id)))
    await till.import()
    const again = await till.import()
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('0 accepted, 3 accepted in earlier runs') })
    expect(results(again)).toMatchObject([{ outcome: 'accepted', status: 200, message: 'in an earlier run' }, {}, {}])
    expect(till.server.requests).toHaveLength(3)
  })

  test('a repeated sales import resends rejected sales, corrected or not', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    for (const id of ids(2)) till.server.setFaults('write', id, [refused])
    expect((await till.import()).code).toBe(11)
    till.write(sale('T-1'), sale('T-2', { staff: { id: 'ben' } }))
    expect(await till.import()).toMatchObject({ code: 0 })
    expect([till.server.writesOn('T-1'), till.server.writesOn('T-2')]).toEqual([2, 2])
  })

  test('a repeated sales import recognizes a sale even if its line number, spacing or member order has changed', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    await till.import()
    const { origin, ...rest } = JSON.parse(sale('T-1')) as { origin: unknown }
    till.write(sale('T-3'), sale('T-2'), ` ${JSON.stringify({ ...rest, origin }).replaceAll(':', ' : ')}`)
    expect((await till.import()).code).toBe(0)
    expect(till.server.requests).toHaveLength(3)
  })

  test('a repeated sales import reports, but does not send, a sale that changed after it was accepted', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    await till.import()
    till.write(sale('T-2'), sale('T-1', { total: { amount: 1, currency: 'AUD' } }))
    const again = await till.import()
    expect(again.code).toBe(11)
    const message = expect.stringContaining('was accepted with different content (as line 1)')
    expect(results(again)).toMatchObject([
      { saleId: 'T-2', outcome: 'accepted' },
      { saleId: 'T-1', outcome: 'invalid', message },
    ])
    expect(till.server.requests).toHaveLength(2)
  })

  test.each(['before', 'after'] as const)(
    'a repeated sales import resolves a sale whose response was lost %s the service processed the sale',
    async (phase) => {
      const till = await inDoubt(phase)
      const again = await till.import()
      expect(again.code).toBe(0)
      expect(outcomes(again)).toEqual([[1, 'T-1', 'accepted']])
      expect([till.server.writesOn('T-1'), till.server.commitsOn('T-1')]).toEqual([2, 1])
      expect((await till.import()).stderr).toContain('1 accepted in earlier runs')
    },
  )

  test.each(['before', 'after'] as const)(
    'a repeated sales import can resolve a sale that was lost %s processing with only the journal',
    async (phase) => {
      const till = await inDoubt(phase)
      const env = { ...till.env, PARTNER_DATA_DIR: (await openTill([])).env['PARTNER_DATA_DIR'] }
      expect(await startPartner(['sales', 'import', till.file], { env }).ended).toMatchObject({ code: 0 })
      expect([till.server.writesOn('T-1'), till.server.commitsOn('T-1')]).toEqual([2, 1])
    },
  )

  test('after ten minutes, a repeated sales import sends a sale with an unknown outcome only with --force', async () => {
    const till = await inDoubt('before')
    till.age(11 * MINUTE_MS)
    const again = await till.import()
    expect(again.code).toBe(11)
    expect(results(again)).toMatchObject([{ outcome: 'unknown' }])
    expect(again.stdout).toContain('it was first sent more than ten minutes ago')
    expect(till.server.writesOn('T-1')).toBe(1)
    expect(await till.import('--force')).toMatchObject({ code: 0 })
    expect([till.server.writesOn('T-1'), till.server.commitsOn('T-1')]).toEqual([2, 1])
  })

  test.each([
    ['applied', 0, 'accepted', 1],
    ['not-applied', 0, 'accepted', 2],
  ])('a repeated sales import respects operations resolve --as %s', async (as, code, outcome, writes) => {
    const till = await inDoubt('before')
    const [operation] = await till.operations()
    expect(await till.run('operations', 'resolve', operation?.id ?? '', '--as', as, '--yes')).toMatchObject({ code: 0 })
    const again = await till.import()
    expect(again.code).toBe(code)
    expect(outcomes(again)).toEqual([[1, 'T-1', outcome]])
    expect(till.server.writesOn('T-1')).toBe(writes)
  })

  test('a repeated sales import sends a changed sale with an unknown outcome only with --force', async () => {
    const till = await inDoubt('before')
    till.write(sale('T-1', { total: { amount: 1, currency: 'AUD' } }))
    const again = await till.import()
    expect(results(again)).toMatchObject([{ outcome: 'unknown' }])
    expect(again.stdout).toContain('the line was changed after it was sent (as line 1)')
    expect(till.server.writesOn('T-1')).toBe(1)
    expect(await till.import('--force')).toMatchObject({ code: 0 })
  })

  test('a repeated sales import warns if a sale with an unknown outcome is no longer in the file', async () => {
    const till = await inDoubt('before')
    till.write(sale('T-2'))
    const again = await till.import()
    for (const text of ['outcome unknown for sales that are no longer in', ': T-1'])
      expect(again.stderr).toContain(text)
  })
})

/** Returns a function that edits the text of a journal. `edit` gets all lines, including the header. */
function withLines(edit: (lines: (string | undefined)[]) => (string | undefined)[]) {
  return (text: string) => `${edit(text.split('\n').slice(0, -1)).join('\n')}\n`
}

/** Converts a journal line to version 1 of the format, in which entries do not contain the previous line's hash. */
function asVersion1(line: string): string {
  const { seal, after, ...rest } = JSON.parse(line)
  const text = JSON.stringify('version' in rest ? { ...rest, version: 1 } : rest)
  return `${text.slice(0, -1)},"seal":"${digestOf(text).slice(0, 11)}"}`
}

describe('the journal of sales import', () => {
  test('sales import reads a version 1 journal and adds chained entries to it', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    await till.import('--concurrency', '1')
    const older = withLines((lines) => lines.map((line) => asVersion1(line ?? '')))
    writeFileSync(till.journal, older(readFileSync(till.journal, 'utf8')))
    till.write(sale('T-1'), sale('T-2'), sale('T-3'))
    expect(await till.import()).toMatchObject({ code: 0 })
    expect(await till.import()).toMatchObject({ code: 0 })
    expect(ids(3).map((id) => till.server.writesOn(id))).toEqual([1, 1, 1])
    const cut = withLines((lines) => lines.toSpliced(4, 1))(readFileSync(till.journal, 'utf8'))
    writeFileSync(till.journal, cut)
    expectRefusal(await till.import(), { code: 2, says: 'lines before line 5' })
    expect(readFileSync(till.journal, 'utf8')).toBe(cut)
    expect(till.server.requests).toHaveLength(3)
  })

  test('sales import ignores an incomplete last line of the journal', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    await till.import()
    writeFileSync(till.journal, readFileSync(till.journal, 'utf8').slice(0, -40))
    expect(await till.import()).toMatchObject({ code: 0 })
    expect([till.server.commitsOn('T-1'), till.server.commitsOn('T-2')]).toEqual([1, 1])
    expect(await till.import()).toMatchObject({ code: 0 })
  })

  test.each([
    ['that is garbage', () => 'what is this\n', 'is damaged at line 1'],
    ['that is empty', () => '', 'is damaged at line 1'],
    [
      'of a newer version',
      (text: string) => text.replace('"version":2', '"version":3'),
      'was written by a newer version of partner',
    ],
    ['that is damaged in the middle', (text: string) => text.replace('"T-1"', '"T-9"'), 'is damaged at line 2'],
    ['without its first entry', withLines((lines) => lines.toSpliced(1, 1)), 'lines before line 2'],
    ['without the two entries of one sale', withLines((lines) => lines.toSpliced(1, 2)), 'lines before line 2'],
    ['without an entry in the middle', withLines((lines) => lines.toSpliced(3, 1)), 'lines before line 4'],
    ['with two swapped entries', withLines(([a, b, c, ...rest]) => [a, c, b, ...rest]), 'lines before line 2'],
    ['with a repeated entry', withLines((lines) => lines.toSpliced(2, 0, lines[1])), 'lines before line 3'],
    ['that is damaged at its end', (text: string) => `${text.slice(0, -2)}x\n`, 'is damaged at line'],
  ])('sales import refuses a journal %s without changing it', async (_what, spoil, says) => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    await till.import()
    const spoilt = spoil(readFileSync(till.journal, 'utf8'))
    writeFileSync(till.journal, spoilt)
    const run = await till.import()
    expectRefusal(run, { code: 2, says })
    expect(run.stderr).toContain('nothing was sent')
    expect(readFileSync(till.journal, 'utf8')).toBe(spoilt)
    expect(till.server.requests).toHaveLength(2)
  })

  test('sales import sends nothing if the journal cannot be created', async () => {
    const till = await openTill([sale('T-1')])
    const run = await till.import('--journal', join(freshDirectory(), 'nowhere', 'x'))
    expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/cannot (?:lock|write) .*nowhere/) })
    expect(till.server.requests).toHaveLength(0)
  })

  test("sales import stops when the journal's disk is full, and a later run sends each remaining sale once", async (context) => {
    skipWithout(context, SMALL_DISK)
    const disk = mountSmallDisk(16)
    const till = await openTill(ids(60).map((id) => sale(id)))
    const journal = join(disk, 'journal')
    const message = expect.stringContaining('no space left on device')
    const refused = await till.import('--journal', journal, '-o', 'ndjson')
    expect(reportedError(refused)).toMatchObject({ exitCode: 1, message })
    const sent = till.server.commits.length
    expect(sent).toBeGreaterThan(2)
    expect(sent).toBeLessThan(60)
    const roomy = join(freshDirectory(), 'journal')
    writeFileSync(roomy, readFileSync(journal))
    const again = await till.import('--journal', roomy)
    expect(again.code, again.stderr).toBe(0)
    expect(ids(60).map((id) => till.server.commitsOn(id))).toEqual(ids(60).map(() => 1))
  })

  test('sales import exits immediately with code 12 if another run is using the journal', async () => {
    const till = await openTill([sale('T-1'), sale('T-2')])
    till.server.setFaults('write', 'T-1', [{ kind: 'lost', loss: 'hang', phase: 'after' }])
    const first = startPartner(['sales', 'import', till.file], { env: till.env })
    await until(() => till.server.writesOn('T-1') === 1)
    const message = expect.stringContaining(`process ${await ownPid(first.process)} (sales import`)
    expect(reportedError(await till.import('-o', 'ndjson'))).toMatchObject({ code: 'LOCKED', exitCode: 12, message })
    first.process.kill('SIGKILL')
    await first.ended
    expect(await till.import()).toMatchObject({ code: 0 })
    expect([till.server.commitsOn('T-1'), till.server.commitsOn('T-2')]).toEqual([1, 1])
  })

  test('an import does not send a sale that another import of the same file is sending, even with a different journal', async () => {
    const till = await openTill([sale('T-1')])
    till.server.setFaults('write', 'T-1', [{ kind: 'lost', loss: 'hang', phase: 'after' }])
    const first = startPartner(['sales', 'import', till.file], { env: till.env })
    await until(() => till.server.writesOn('T-1') === 1)
    const second = await till.import('--journal', `${till.file}.other`)
    expect(results(second)).toMatchObject([{ outcome: 'unknown' }])
    expect(second.stdout).toContain('the same write is in progress')
    first.process.kill('SIGKILL')
    await first.ended
    expect(till.server.writesOn('T-1')).toBe(1)
  })

  test('the journal of a sales import is private and contains no amounts or API keys', async () => {
    const till = await openTill([sale('T-1', { total: { amount: 987_654, currency: 'AUD' } })])
    await till.import()
    expect(readFileSync(till.journal, 'utf8')).not.toMatch(/987654|raw-server-key/)
    expectPrivate(till.journal)
  })
})

describe('sales import and signals', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'after %s, sales import finishes its open requests and exits with code 130',
    async (signal) => {
      const till = await openTill(ids(20).map((id) => sale(id)))
      const { promise: held, resolve: answer } = Promise.withResolvers<void>()
      till.server.setFaults('write', 'T-3', [{ kind: 'slow', meanwhile: () => held }])
      const run = startPartner(['sales', 'import', till.file, '--concurrency', '1', '-o', 'ndjson'], { env: till.env })
      await until(() => till.server.writesOn('T-3') === 1)
      run.process.kill(signal)
      await until(() => run.said.stderr.includes('stops the command immediately'))
      answer()
      const ended = await run.ended
      const details = { accepted: 3, of: 20 }
      expect(reportedError(ended)).toMatchObject({ code: 'INTERRUPTED', exitCode: 130, details })
      expect(ended.stderr).toContain('3 accepted')
      expect(outcomes(ended)).toHaveLength(3)
      expect(till.entries().at(-1)).toMatchObject({ id: 'T-3', state: 'accepted' })
      expect(await till.import()).toMatchObject({ code: 0 })
      expect(ids(20).map((id) => till.server.writesOn(id))).toEqual(ids(20).map(() => 1))
    },
  )

  test('a second SIGINT ends sales import immediately, and the next run resolves the sale that was being sent', async () => {
    const till = await openTill(ids(5).map((id) => sale(id)))
    till.server.setFaults('write', 'T-2', [{ kind: 'lost', loss: 'hang', phase: 'after' }])
    const run = startPartner(['sales', 'import', till.file, '--concurrency', '1', '-o', 'ndjson'], { env: till.env })
    await until(() => till.server.writesOn('T-2') === 1)
    run.process.kill('SIGINT')
    await until(() => run.said.stderr.includes('stops the command immediately'))
    run.process.kill('SIGINT')
    const ended = await run.ended
    const details = { accepted: 1, unknown: 1 }
    expect(reportedError(ended)).toMatchObject({ exitCode: 9, outcome: 'unknown', details })
    expect(outcomes(ended)).toEqual([[1, 'T-1', 'accepted']])
    expect(till.entries().at(-1)).toMatchObject({ id: 'T-2', state: 'unknown' })
    expect(await till.import()).toMatchObject({ code: 0 })
    expect(ids(5).map((id) => till.server.commitsOn(id))).toEqual([1, 1, 1, 1, 1])
  })

  test('sales import exits with code 9 if SIGINT and SIGTERM arrive at the same time', async () => {
    const till = await openTill(ids(5).map((id) => sale(id)))
    till.server.setFaults('write', 'T-1', [{ kind: 'lost', loss: 'hang', phase: 'after' }])
    const run = startPartner(['sales', 'import', till.file], { env: till.env })
    await until(() => till.server.writesOn('T-1') === 1)
    sendSignalsTogether(run, 'SIGINT', 'SIGTERM')
    expect((await run.ended).code).toBe(9)
    expect(await till.import()).toMatchObject({ code: 0 })
  })
})

describe('sales import with a closed stdout', () => {
  test('sales import finishes open requests and exits with code 13 if the process that reads its output exits', async () => {
    const till = await openTill(ids(30).map((id) => sale(id)))
    const run = startPartner(['sales', 'import', till.file, '--concurrency', '2'], { env: till.env, stdout: 'unread' })
    run.process.stdout?.destroy()
    expect(await run.ended).toMatchObject({ code: 13 })
    const sent = till.server.commits.length
    expect(sent).toBeLessThan(30)
    expect(till.entries().filter(({ state }) => state === 'accepted')).toHaveLength(sent)
    expect(await till.import()).toMatchObject({ code: 0 })
    expect(ids(30).map((id) => till.server.writesOn(id))).toEqual(ids(30).map(() => 1))
  })
})

test('sales import warns if the file grows during the import', async () => {
  const till = await openTill(ids(3).map((id) => sale(id)))
  till.server.setCallbacks('write', 'T-2', [() => appendFileSync(till.file, `${sale('T-9')}\n`)])
  expect((await till.import()).stderr).toContain(
    'changed during the import; to submit the new sales, run the import again',
  )
})
