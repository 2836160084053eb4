import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CARD, COMMAND_LINES, openShop } from '../money/cashier.ts'
import { needs } from '../support/needs.ts'
import { freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { WINDOWS } from '../support/windows.ts'
import { runInWindows, startInWindows } from '../support/windows-scripts.ts'

const STAY = 'setInterval(() => {}, 1000)'
const SOMEONE = 'another program, such as a virus scanner or an editor, has'

/** Opens a file in another Windows process, so that the file can be read and written, but not replaced or removed. */
function hold(path: string) {
  return startInWindows(
    `import { DatabaseSync } from 'node:sqlite'
    const held = new DatabaseSync(${JSON.stringify(path)}); console.log('held'); setInterval(() => held, 1000)`,
  )
}

/** Opens a file in another Windows process, so that no other process can open it. */
function holdAlone(path: string) {
  return startInWindows(
    `import { openSync } from 'node:fs'
    openSync(${JSON.stringify(path)}, 0x10000000); console.log('held'); ${STAY}`,
  )
}

async function homeWithProfile() {
  const env = freshHome()
  const add = 'profiles add till --base-url https://till.example --api-key env:K --no-check'
  expect((await runPartner(add, { env })).code).toBe(0)
  return { env, file: join(env.PARTNER_CONFIG_DIR, 'profiles.json') }
}

describe('files that another program has open on Windows', () => {
  needs(WINDOWS)

  test('a profile change succeeds as soon as another program closes the profile file', async () => {
    const { env, file } = await homeWithProfile()
    const { running } = await hold(file)
    const change = startPartner(['profiles', 'set', 'till', '--timezone', 'Europe/Berlin'], { env })
    await until(() => readdirSync(env.PARTNER_CONFIG_DIR).some((name) => /^\.profiles\.json\..*\.tmp$/.test(name)))
    running.process.kill('SIGKILL')
    expect(await change.ended).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.till.timezone).toBe('Europe/Berlin')
  })

  test('a profile change fails if another program keeps the profile file open, and leaves no temporary file behind', async () => {
    const { env, file } = await homeWithProfile()
    const [before, names] = [readFileSync(file, 'utf8'), readdirSync(env.PARTNER_CONFIG_DIR)]
    const { running } = await hold(file)
    const run = await runPartner('profiles set till --timezone Europe/Berlin', { env })
    expectRefusal(run, { code: 1, says: SOMEONE })
    expect(run.stderr).toMatch(/profiles\.json open/)
    expect(run.stderr).toContain('next: the file is unchanged; close that program, then run the command again')
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(readdirSync(env.PARTNER_CONFIG_DIR).filter((name) => !names.includes(name))).toEqual([])
    running.process.kill('SIGKILL')
  })

  test('deleting a snapshot that another program has open fails with an error that names the file', async () => {
    const env = freshHome()
    const directory = join(env.PARTNER_DATA_DIR, 'snapshots')
    const file = join(directory, 'monday.snapshot')
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, '')
    const { running } = await hold(file)
    const run = await runPartner('sandbox snapshot delete monday --yes', { env })
    expectRefusal(run, { code: 1, says: SOMEONE })
    expect(run.stderr).toContain('monday.snapshot')
    expect(existsSync(file)).toBe(true)
    running.process.kill('SIGKILL')
  })

  test('partner reports that another program has locked the profile file', async () => {
    const { env, file } = await homeWithProfile()
    const { running } = await holdAlone(file)
    const run = await runPartner('profiles list', { env })
    expectRefusal(run, { code: 2, says: 'another program, such as a virus scanner or an editor, has it open' })
    running.process.kill('SIGKILL')
  })
})

describe('files that partner itself has open on Windows', () => {
  needs(WINDOWS)

  test('partner replaces a damaged pace file', async () => {
    const shop = await openShop()
    const path = join(shop.env['PARTNER_CACHE_DIR'] ?? '', 'pace.db')
    const limited = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '0' } } as const
    shop.server.setFaults('read', CARD, [limited])
    mkdirSync(shop.env['PARTNER_CACHE_DIR'] ?? '')
    writeFileSync(path, 'x'.repeat(10_000))
    for (let run = 0; run < 2; run++) expect((await shop.run('giftcards', 'get', CARD)).code).toBe(0)
    expect(existsSync(path) && readFileSync(path, 'latin1').startsWith('x')).toBe(false)
  })

  test('sales import leaves no piped input behind in the temporary directory', async () => {
    const temp = freshDirectory()
    const { code, stderr } = await runPartner('sales import - --dry-run', {
      env: { ...freshHome(), TEMP: temp, TMP: temp, PARTNER_PROFILE: 'sandbox' },
      input: '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2,"number":"5"}}\n',
    })
    expect(code, stderr).toBe(0)
    expect(readdirSync(temp)).toEqual([])
  })

  test('a listener removes an incomplete line from its journal when it starts', async () => {
    const journal = join(freshDirectory(), 'deliveries.ndjson')
    const path = JSON.stringify(journal)
    writeFileSync(journal, '{"incomp')
    const { stdout, stderr } = await runInWindows(
      `import { openDeliveryJournal } from './src/webhooks/events/journal/delivery-journal.ts'
      const journal = await openDeliveryJournal(${path}, { onDelivery: () => {}, keeping: null, report: () => {} }); await journal.close(); console.log('opened')`,
    )
    expect(stdout, stderr).toBe('opened\n')
    expect(statSync(journal).size).toBe(0)
  })
})

describe('durability on Windows', () => {
  needs(WINDOWS)

  test('writeFileDurably flushes the file and its directory after the rename', async () => {
    const path = JSON.stringify(join(freshDirectory(), 'state.json'))
    const { stdout, stderr } = await runInWindows(
      `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { writeFileDurably } = await import('./src/base/storage/durable-write.ts')
      const calls = []
      const names = new Map()
      for (const name of ['openSync', 'fsyncSync', 'renameSync', 'closeSync']) {
        const call = fs[name]
        fs[name] = (first, ...rest) => {
          const result = call(first, ...rest)
          if (name === 'openSync') names.set(result, fs.fstatSync(result).isDirectory() ? 'directory' : 'file')
          calls.push(name.replace('Sync', '') + ' ' + (names.get(name === 'openSync' ? result : first) ?? 'file'))
          return result
        }
      }
      syncBuiltinESMExports()
      writeFileDurably(${path}, 'new'); console.log(calls.join(', '))`,
    )
    expect(stdout.trim(), stderr).toBe(
      'open file, fsync file, rename file, fsync file, open directory, fsync directory, close directory, close file',
    )
  })

  test('SQLite truncates the journal of the operations database when a payment is committed', async () => {
    const shop = await openShop()
    expect((await shop.run(...COMMAND_LINES['giftcards redeem'])).code).toBe(0)
    expect(statSync(`${shop.operationsFile}-journal`).size).toBe(0)
  })
})
