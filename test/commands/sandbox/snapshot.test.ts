import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skipWithout } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, NODE, PARTNER, runPartner } from '../../support/partner.ts'
import { expectRefusal, refused } from '../../support/refusal.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { expectPrivate, LINUX_PROGRAMS, linuxPath, toolPath } from '../../support/windows.ts'

const CARD = 'GIFT1-00000100-AAAA'
const redeem = (amount: string) => ['giftcards', 'redeem', CARD, '--amount', amount]
const balance = ['giftcards', 'get', CARD, '--json', '--columns', 'remainingAmount']

function inHome(more: Environment = {}) {
  const cwd = freshDirectory()
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox', ...more }
  const run = (...args: readonly string[]) => runPartner(args, { env, cwd })
  const json = async (...args: readonly string[]) => {
    const done = await run(...args, '--json')
    expect(done).toMatchObject({ code: 0 })
    return JSON.parse(done.stdout)
  }
  const snapshot = (...args: readonly string[]) => run('sandbox', 'snapshot', ...args)
  return { cwd, env, run, snapshot, json }
}

describe('sandbox snapshot', () => {
  test('sandbox snapshot saves a named snapshot as a private file, and can list, load and delete it', async () => {
    const { env, run, json, snapshot } = inHome()
    await run(...redeem('40'))
    const saved = await json('sandbox', 'snapshot', 'save', 'after-forty')
    const path = join(env.PARTNER_DATA_DIR, 'snapshots', 'after-forty.snapshot')
    const expected = { name: 'after-forty', file: toolPath(path) }
    expect(saved).toEqual(expected)
    expectPrivate(path)
    await run(...redeem('10'))
    const loaded = await json('sandbox', 'snapshot', 'load', 'after-forty', '--yes')
    expect(loaded).toMatchObject({ name: 'after-forty', frozen: false, giftcards: 13, withoutCredentials: [] })
    expect(await json(...balance)).toEqual({ remainingAmount: 60 })
    const list = await json('sandbox', 'snapshot', 'list')
    expect(list.map(({ name }: { name: string }) => name)).toEqual([
      ...['empty', 'busy-friday', 'month-end', 'dst-night', 'every-card', 'other-zone-and-currency', 'two-venues'],
      'after-forty',
    ])
    expect(list.at(-1)).toMatchObject({ kind: 'saved', about: null, bytes: statSync(path).size })
    expect(await json('sandbox', 'snapshot', 'delete', 'after-forty', '--yes')).toEqual(saved)
    const says = 'no snapshot is named "after-forty"'
    await refused(snapshot('load', 'after-forty', '--yes'), 3, says, /ready: empty,.*saved: none/)
  })

  test('sandbox snapshot list ignores files whose names are not valid snapshot names', async () => {
    const { env, json } = inHome()
    const { file } = await json('sandbox', 'snapshot', 'save', 'friday')
    for (const name of ['a copy of friday.snapshot', 'é.snapshot', '.hidden.snapshot'])
      copyFileSync(linuxPath(file), join(env.PARTNER_DATA_DIR, 'snapshots', name))
    const list: { readonly kind: string; readonly name: string }[] = await json('sandbox', 'snapshot', 'list')
    expect(list.filter(({ kind }) => kind === 'saved').map(({ name }) => name)).toEqual(['friday'])
  })

  test('sandbox snapshot save asks before it replaces a snapshot, and requires --yes without a terminal', async (context) => {
    const { env, run, snapshot, json } = inHome()
    for (const name of ['again', 'again.snapshot']) {
      const { file } = await json('sandbox', 'snapshot', 'save', name)
      const path = linuxPath(file)
      const before = readFileSync(path)
      await run(...redeem('1'))
      await refused(
        snapshot('save', name),
        2,
        `"Replace the snapshot ${name} (${file})?" needs confirmation`,
        /add --yes/,
      )
      expect(readFileSync(path)).toEqual(before)
      await json('sandbox', 'snapshot', 'save', name, '--yes')
      expect(readFileSync(path)).not.toEqual(before)
    }
    skipWithout(context, TERMINAL)
    const again = ['sandbox', 'snapshot', 'save', 'again']
    expect((await runInTerminal(again, [['Replace the snapshot again', 'n\r']], env)).code).toBe(130)
    expect((await runInTerminal(again, [['Replace the snapshot again', 'y\r']], env)).code).toBe(0)
  })

  test('sandbox snapshot save treats a name with a slash or the extension .snapshot as a path, and overwrites only snapshots', async () => {
    const { cwd, json, snapshot } = inHome()
    const saved = await json('sandbox', 'snapshot', 'save', 'here.snapshot')
    expect(saved).toEqual({ name: 'here', file: toolPath(join(cwd, 'here.snapshot')) })
    await json('sandbox', 'snapshot', 'save', './here.snapshot', '--yes')
    writeFileSync(join(cwd, 'notes.txt'), 'mine\n')
    await refused(snapshot('save', './notes.txt'), 2, 'is not a snapshot and was not changed', /another name/)
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine\n')
    await refused(snapshot('save', './no/where.snapshot'), 2, 'does not exist', /mkdir /)
    mkdirSync(join(cwd, 'a.snapshot'))
    expect((await snapshot('save', 'a.snapshot')).code).toBe(2)
    await refused(snapshot('delete', 'here.snapshot', '--yes'), 2, 'is a file', /(?:rm|del) here.snapshot/)
    expect(existsSync(join(cwd, 'here.snapshot'))).toBe(true)
  })

  test('sandbox snapshot refuses to replace or delete a ready-made snapshot, and suggests the nearest name for an unknown one', async () => {
    const { snapshot } = inHome()
    for (const name of ['empty', 'Empty'])
      await refused(snapshot('save', name), 2, 'is the name of a ready-made snapshot', /different name/)
    await refused(snapshot('delete', 'empty', '--yes'), 2, 'cannot be deleted', /different name/)
    const says = 'no snapshot is named "buzy-friday"'
    await refused(snapshot('load', 'buzy-friday', '--yes'), 3, says, /did you mean busy-friday\?/)
    await refused(snapshot('load', './none.snapshot', '--yes'), 3, 'does not exist', /snapshot list/)
  })

  test.each(['save', 'load', 'delete'])('sandbox snapshot %s refuses the name ..', async (verb) => {
    const refused = await inHome().snapshot(verb, '--yes', '--', '..')
    expectRefusal(refused, { code: 2, says: 'a snapshot cannot be named ".."', next: /letters, digits/ })
  })

  test('sandbox snapshot load requires confirmation before it replaces a venue', async () => {
    const { run, json, snapshot } = inHome()
    await run(...redeem('40'))
    await refused(snapshot('load', 'busy-friday'), 2, 'needs confirmation', /--yes/)
    expect(await json(...balance)).toEqual({ remainingAmount: 60 })
  })

  test('sandbox snapshot load names the invalid line and changes nothing if a snapshot is invalid', async () => {
    const { cwd, run, json, snapshot } = inHome()
    await run(...redeem('40'))
    const { file } = await json('sandbox', 'snapshot', 'save', 'x.snapshot')
    const path = linuxPath(file)
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [...lines.slice(0, 300), '{"booking":"BK-1"}', ...lines.slice(300)].join('\n'))
    const says = 'x.snapshot, line 301: "bookingTime" is missing'
    await refused(snapshot('load', 'x.snapshot', '--yes'), 2, says, /nothing was changed/)
    writeFileSync(join(cwd, 'cut.snapshot'), lines.slice(0, 20).join('\n'))
    const problem = 'line 20: the file is truncated'
    await refused(run('sandbox', 'exec', '--snapshot', 'cut.snapshot', '--', 'true'), 2, problem, /different snapshot/)
    expect(await json(...balance)).toEqual({ remainingAmount: 60 })
  })

  test("sandbox snapshot load closes a running sandbox's open operations and names webhooks that lost their credentials", async () => {
    const home = freshHome()
    const sandbox = await startSandboxProcess(['--data', ':memory:'], home)
    const env = { ...home, ...sandbox.env, PARTNER_PROFILE: undefined, HOOK_KEY: 'key-0815' }
    const { run, json, snapshot } = inHome(env)
    await run('webhooks', 'create', 'BOOKING_CREATED', 'http://127.0.0.1:9/', '--security-key', 'env:HOOK_KEY')
    const { file } = await json('sandbox', 'snapshot', 'save', 'mine')
    expect(readFileSync(linuxPath(file), 'utf8')).not.toContain('0815')
    await run('sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem', '--reset', '--phase', 'before')
    expect((await run(...redeem('10'))).code).toBe(9)
    const loaded = await snapshot('load', 'mine', '--yes')
    expect(loaded).toMatchObject({ code: 0 })
    expect(loaded.stderr).toContain('snapshots do not contain the credentials of BOOKING_CREATED')
    const expected = [{ state: 'not-applied', how: 'a snapshot was loaded into the sandbox' }]
    expect(await json('operations', 'list')).toMatchObject(expected)
    expect(await json('sandbox', 'faults', 'list')).toEqual([])
    expect((await run(...redeem('10'))).code).toBe(0)
    await json('sandbox', 'snapshot', 'load', 'other-zone-and-currency', '--yes')
    expect(await json('sandbox', 'env', '--base-url', sandbox.baseUrl)).toMatchObject({ timezone: 'America/New_York' })
    expect(await sandbox.stop()).toBe(0)
  })

  test('sandbox snapshot load closes the open operations of the sandbox profile', async () => {
    const { run, json } = inHome()
    await run('sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem', '--reset', '--phase', 'before')
    expect((await run(...redeem('10'))).code).toBe(9)
    await json('sandbox', 'snapshot', 'load', 'every-card', '--yes')
    expect(await json('operations', 'list')).toMatchObject([{ state: 'not-applied' }])
  })
})

describe('sandbox commands with --snapshot', () => {
  test("sandbox start --snapshot serves a venue in memory and does not change the profile's venue", async () => {
    const home = freshHome()
    const sandbox = await startSandboxProcess(['--snapshot', 'other-zone-and-currency', '--clock-frozen'], home)
    expect(sandbox).toMatchObject({ timezone: 'America/New_York', locationId: '5f1d7a3e9b2c4d0012ab34d0' })
    expect(existsSync(join(home.PARTNER_DATA_DIR, 'sandbox'))).toBe(false)
    const clock = await runPartner(['sandbox', 'clock', '--json'], { env: { ...home, ...sandbox.env } })
    expect(JSON.parse(clock.stdout)).toEqual({ now: '2026-10-31T22:50:00.000Z', frozen: true, shifted: true })
    expect(await sandbox.stop()).toBe(0)
  })

  test('sandbox start --snapshot --data creates a venue, but does not replace an existing venue', async () => {
    const home = freshHome()
    const data = join(freshDirectory(), 'venue')
    const args = ['--snapshot', 'other-zone-and-currency', '--data', data]
    const sandbox = await startSandboxProcess([...args, '--clock', '2026-10-31 19:30', '--clock-frozen'], home)
    expect(await sandbox.stop()).toBe(0)
    const clock = await runPartner(['sandbox', 'clock', '--data', data, '--json'], { env: home })
    expect(JSON.parse(clock.stdout)).toMatchObject({ now: '2026-10-31T23:30:00.000Z', frozen: true })
    const next = /snapshot load other-zone-and-currency --data/
    await refused(runPartner(['sandbox', 'start', ...args], { env: home }), 2, 'already has a venue', next)
  })

  test("sandbox exec --snapshot uses the snapshot's venue and exits with code 3 if the name is unknown", async (context) => {
    skipWithout(context, LINUX_PROGRAMS)
    const { run } = inHome({ PARTNER_PROFILE: undefined })
    const inner = `echo $PARTNER_TIMEZONE; '${NODE}' '${PARTNER}' bookings get BK-1006 --json --query 'paymentSummary.currencyCode'`
    const done = await run('sandbox', 'exec', '--snapshot', 'other-zone-and-currency', '--', 'sh', '-c', inner)
    expect(done).toMatchObject({ code: 0, stdout: 'America/New_York\n"USD"\n' })
    const problem = '--seed and --snapshot cannot be used together'
    const next = /omit --seed/
    await refused(run('sandbox', 'exec', '--snapshot', 'empty', '--seed', '3', '--', 'true'), 2, problem, next)
    const says = 'no snapshot is named "nothing"'
    await refused(run('sandbox', 'exec', '--snapshot', 'nothing', '--', 'true'), 3, says, /busy-friday/)
    await refused(run('sandbox', 'start', '--snapshot', 'nothing'), 3, 'no snapshot is named "nothing"', /busy-friday/)
  })
})
