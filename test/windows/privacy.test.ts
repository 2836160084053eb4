import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runDoctor } from '../commands/doctor/run-doctor.ts'
import { needs } from '../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { toolPath, WINDOWS } from '../support/windows.ts'
import { runInWindows } from '../support/windows-scripts.ts'

const USER = 'S-1-5-21-1004336348-1177238915-682003330-1001'
const PRIVATE = `D:PAI(A;OICI;FA;;;${USER})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`

/**
 * Creates a Windows directory where Node simulates `whoami` and `icacls`, because Wine's versions do nothing. Returns
 * the environment for partner, and functions that return the arguments of the `icacls` calls and set the permissions
 * that `icacls` reports.
 */
async function fakeWindows() {
  const root = freshDirectory()
  const [log, permissions, preload] = ['log', 'permissions', 'fake.cjs'].map((name) => join(root, name)) as [
    ...[string, string, string],
  ]
  mkdirSync(join(root, 'System32'))
  const { stdout } = await runInWindows('console.log(process.execPath)')
  const node = stdout.trim().replace(/^Z:/, '').replaceAll('\\', '/')
  for (const name of ['whoami.exe', 'icacls.exe']) symlinkSync(node, join(root, 'System32', name))
  writeFileSync(
    preload,
    `const fs = require('node:fs')
    const [program, path, ...rest] = process.argv
    if (/whoami\\.exe$/.test(program)) {
      process.stdout.write('"pos\\\\anna","${USER}"\\r\\n')
      process.exit(0)
    } else if (/icacls\\.exe$/.test(program)) {
      if (rest[0] === '/save') {
        const text = '\\uFEFFname\\r\\n' + fs.readFileSync(${JSON.stringify(permissions)}, 'utf8') + '\\r\\n'
        fs.writeFileSync(rest[1], text, 'utf16le')
      } else fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify([path, ...rest]) + '\\n')
      process.exit(0)
    } else {
      // Set SystemRoot here, because Wine overwrites it in each new process.
      process.env.SystemRoot = ${JSON.stringify(toolPath(root))}
    }`,
  )
  const env: Environment = { ...freshHome(), NODE_OPTIONS: `--require ${preload}` }
  const calls = () =>
    (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []).map((line) => JSON.parse(line))
  const setPermissions = (text: string) => writeFileSync(permissions, text)
  setPermissions(PRIVATE)
  return { env, calls, setPermissions }
}

describe('privacy on Windows', () => {
  needs(WINDOWS)

  test('partner restricts a directory to the user, Windows and administrators once, when it creates the directory', async () => {
    const { env, calls } = await fakeWindows()
    expect(
      (await runPartner('profiles add till --base-url https://till.example --api-key env:K --no-check', { env })).code,
    ).toBe(0)
    const config = env['PARTNER_CONFIG_DIR'] ?? ''
    const grants = [`*${USER}:(OI)(CI)F`, '*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F']
    const ofConfig = () => calls().filter(([path]) => path.endsWith(toolPath(config).slice(2)))
    expect(ofConfig()).toEqual([[expect.any(String), '/inheritance:r', '/grant:r', ...grants]])
    expect((await runPartner('profiles set till --timezone Europe/Berlin', { env })).code).toBe(0)
    expect(ofConfig()).toHaveLength(1)
  })

  test("doctor reports who can access partner's files on Windows, or skips the checks if Windows does not report this", async () => {
    const { env, setPermissions } = await fakeWindows()
    createFiles(env)
    const alone = await runDoctor(env)
    expect(alone.row('data directory')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^only you can access .*data$/),
    })
    expect(alone.row('modes')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^only you can read .*profiles\.json$/),
    })

    setPermissions(`${PRIVATE}(A;OICI;FR;;;WD)(A;OICI;FR;;;S-1-5-21-1-2-3-1007)`)
    const shared = await runDoctor(env)
    const others = 'Everyone, S-1-5-21-1-2-3-1007'
    const grants = `"*${USER}:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"`
    expect(shared.row('data directory')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(new RegExp(`^others can access .*data: ${others}$`)),
      next: expect.stringMatching(/^icacls ".*data" \/inheritance:r /),
    })
    expect(shared.row('modes')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(new RegExp(`^others can read .*profiles\\.json \\(${others}\\)$`)),
      next: expect.stringMatching(/^icacls ".*config" \/inheritance:r /),
    })
    expect(shared.row('modes')?.next).toContain(`/grant:r ${grants}`)

    setPermissions('Zugriff verweigert')
    await expectUnknown(env)
  })

  test('doctor skips the access checks if Windows does not identify the user, as in Wine', async () => {
    const env = freshHome()
    createFiles(env)
    await expectUnknown(env)
  })
})

function createFiles(env: Environment): void {
  const [data = '', config = ''] = [env['PARTNER_DATA_DIR'], env['PARTNER_CONFIG_DIR']]
  for (const directory of [data, config]) mkdirSync(directory)
  writeFileSync(join(config, 'profiles.json'), '{"profiles": {}}')
}

async function expectUnknown(env: Environment): Promise<void> {
  const { row } = await runDoctor(env)
  expect(row('data directory')).toMatchObject({
    status: 'skip',
    message: expect.stringContaining('Windows did not report who can access it'),
  })
  expect(row('modes')).toMatchObject({
    status: 'skip',
    message: expect.stringContaining('Windows did not report who can read'),
  })
}
