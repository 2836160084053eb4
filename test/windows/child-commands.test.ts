import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { freshDirectory, freshHome, NODE, ROOT, runPartner, runProgram } from '../support/partner.ts'
import { OWN_POSTGRES, POSTGRES_ENV, postgresServer } from '../support/postgres.ts'
import { answers, startRawServer } from '../support/raw-server.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { WINDOWS } from '../support/windows.ts'
import { openTestInbox } from '../webhooks/inbox/inboxes.ts'
import { startListening, watched } from '../webhooks/listener/listening.ts'

needs(WINDOWS)

/** Creates a directory with a batch file, `show.cmd`, that uses Node to print its arguments as JSON. */
function withBatchFile(): string {
  const cwd = freshDirectory()
  writeFileSync(join(cwd, 'show.cjs'), 'console.log(JSON.stringify(process.argv.slice(2)))')
  writeFileSync(join(cwd, 'show.cmd'), '@node "%~dp0show.cjs" %*\r\n')
  return cwd
}

const exec = (words: readonly string[], cwd = freshDirectory()) =>
  runPartner(['sandbox', 'exec', '--', ...words], { cwd, env: freshHome() })

/** Arguments that are special in cmd.exe. None contains a percent sign, which Wine's cmd.exe expands twice. */
const HOSTILE = [
  ...['', 'two words', 'a&echo pwned', 'a|more', 'a>x', '<x', '^', '^^&', '!PATH!', '(a)', 'a,b;c=d', "it's", '~@#$*?'],
  ...['"', '"&echo pwned', '""&', '\\"&echo pwned', 'a\\', 'a b\\', 'a\\\\"', '\t', 'Jürgen 😀', '--flag="x y"'],
]

describe('sandbox exec on Windows', () => {
  test('sandbox exec finds programs and batch files in PATH without their extensions', async () => {
    expect(await exec(['node', '-p', 'process.platform'])).toMatchObject({ code: 0, stdout: 'win32\n' })
    const { code, stdout } = await exec(['partner', 'bookings', 'statuses', '-o', 'tsv'])
    expect(code).toBe(0)
    expect(stdout).toContain('CONFIRMED')
  })

  test("sandbox exec exits with its command's exit code, even if the command is a batch file", async () => {
    expect(await exec(['node', '-e', 'process.exit(7)'])).toMatchObject({ code: 7 })
    expect(await exec(['partner', 'bookings', 'get', 'BK-0'])).toMatchObject({ code: 3 })
  })

  test('sandbox exec passes arguments with special characters to a batch file unchanged and executes nothing in them', async () => {
    const { code, stdout } = await exec(['./show', ...HOSTILE], withBatchFile())
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(HOSTILE)
  })

  test('arguments with percent signs pass through cmd.exe unchanged', async () => {
    const args = [...HOSTILE, '%PATH%', '%', '%%', '%cd:~,%', '100%', '%PATH:~0,1%', '%=ExitCode%', '"%PATH%&echo']
    const cwd = withBatchFile()
    // Run Node directly in cmd.exe, because Wine expands variables in a batch file's arguments twice.
    const program = `
      import { spawnSync } from 'node:child_process'
      import { batchLine } from ${JSON.stringify(join(ROOT, 'src/base/programs/batch-line.ts'))}
      const line = batchLine(process.execPath, ['show.cjs', ...${JSON.stringify(args)}])
      spawnSync('cmd.exe', ['/d', '/s', '/e:on', '/v:off', '/c', line], { windowsVerbatimArguments: true, stdio: 'inherit' })`
    writeFileSync(join(cwd, 'run.mjs'), program)
    const { stdout } = await runProgram(NODE, ['run.mjs'], { cwd })
    expect(JSON.parse(stdout)).toEqual(args)
  })

  test('sandbox exec rejects a line break in an argument to a batch file, but accepts it in an argument to a program', async () => {
    const cwd = withBatchFile()
    const { code, stderr } = await exec(['./show.cmd', 'a\necho pwned'], cwd)
    expect(code).toBe(2)
    expect(stderr).toContain('error: "./show.cmd" cannot be run: an argument contains a line break, which cmd.exe')
    const run = await exec(['node', 'show.cjs', 'a\nb'], cwd)
    expect(run.stdout).toBe('["a\\nb"]\n')
  })

  test('sandbox exec never runs a program in the current directory, unless its path is given', async () => {
    const cwd = freshDirectory()
    for (const name of ['partner.cmd', 'alone.cmd']) writeFileSync(join(cwd, name), '@echo planted\r\n')
    expect((await exec(['partner', '--version'], cwd)).stdout).not.toContain('planted')
    writeFileSync(join(cwd, 'node.exe'), 'planted')
    expect((await exec(['node', '--version'], cwd)).stdout).toMatch(/^v\d/)
    const { code, stderr } = await exec(['alone'], cwd)
    expect(code).toBe(2)
    expect(stderr).toContain('error: "alone" cannot be run: there is no such command')
    expect((await exec(['.\\alone'], cwd)).stdout).toContain('planted')
  })

  test('sandbox exec exits with code 2 if the command is not found', async () => {
    expect(await exec(['no-such-command'])).toMatchObject({ code: 2 })
  })
})

/** A program that appends to the `beats` file while it is running. */
const BEATS = "setInterval(() => require('fs').appendFileSync('beats', '.'), 20)"

/** Waits until nothing has been appended to a file for a second. */
async function untilSilent(path: string): Promise<void> {
  let [size, since] = [-1, performance.now()]
  await until(() => {
    const now = readFileSync(path).length
    if (now !== size) [size, since] = [now, performance.now()]
    return performance.now() - since > 1000
  })
}

test("sandbox rehearse ends its command and the command's child processes when the rehearsed day is over", async () => {
  const cwd = freshDirectory()
  writeFileSync(join(cwd, 'beat.js'), `${BEATS}\nrequire('http').get(process.env.PARTNER_BASE_URL + '/Bookings')`)
  writeFileSync(join(cwd, 'beat.cmd'), '@node beat.js\r\n')
  const line = ['sandbox', 'rehearse', '--speed', 'max', '--wait', '--', './beat.cmd']
  expect(await runPartner(line, { cwd, env: freshHome() })).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'beats'))).toBe(true)
  await untilSilent(join(cwd, 'beats'))
})

test('certify --run runs a command in cmd.exe and kills a polling process together with its child processes', async () => {
  const cwd = freshDirectory()
  writeFileSync(join(cwd, 'step.cmd'), '@echo %CERTIFY_COPY%> "%~dp0copy"\r\n@node "%INTEGRATION%"\r\n')
  const args = ['certify', '--run', '.\\step', '--only', 'polls-without-gaps', '--json', '--query', 'items[0].status']
  const run = await runPartner(args, {
    cwd,
    env: { ...freshHome(), INTEGRATION: join(ROOT, 'test/studio/certify/by-window.mjs') },
  })
  expect(run).toMatchObject({ code: 0, stdout: '"passed"\n' })
  expect(readFileSync(join(cwd, 'copy'), 'utf8')).toMatch(/copy\.ndjson/)
})

test.each([
  ['--exec', ['webhooks', 'listen', '--exec', 'echo a\necho b']],
  ['--exec', ['webhooks', 'work', '--from', 'postgres://hooks@db.example/venue', '--exec', 'echo a\necho b']],
  ['--run', ['certify', '--run', 'echo a\necho b']],
])('a shell command with several lines is a usage error: %s', async (flag, args) => {
  const { code, stderr } = await runPartner(args, { env: freshHome() })
  expect(code).toBe(2)
  expect(stderr).toContain(`${flag} must be a single line on Windows`)
})

describe('webhooks listen --exec on Windows', () => {
  test('webhooks listen --exec runs its command in cmd.exe with the body on stdin and copies the output to stderr', async () => {
    const cwd = freshDirectory()
    writeFileSync(join(cwd, 'handle.js'), 'process.stdin.on("data", (bytes) => console.error("got " + bytes))')
    const script = join(cwd, 'handle.js')
    const listener = await startListening(['--exec', `echo %PARTNER_WEBHOOK_EVENT%& node ${script}`])
    expect(await listener.post('{"eventType":"BOOKING_CREATED"}')).toBe(200)
    await listener.says('got {"eventType":"BOOKING_CREATED"}')
    expect(listener.said.stderr).toContain('BOOKING_CREATED\r\n')
    expect(await listener.stop()).toMatchObject({ code: 0 })
  })

  test('webhooks listen --exec reports the exit code of a failed command', async () => {
    const listener = await startListening(['--exec', 'exit 3'])
    expect(await listener.post('{"eventType":"BOOKING_CREATED"}')).toBe(500)
    await listener.says('exit code 3')
  })
})

describe('webhooks work --exec on Windows', () => {
  needs(OWN_POSTGRES)
  const server = postgresServer()

  /** Starts a worker whose command runs until it is stopped, or until the `done` file exists. */
  async function working() {
    const url = await server.database()
    await (await openTestInbox(url)).event('BOOKING_CREATED')
    const cwd = freshDirectory()
    const ending = "setInterval(() => require('fs').existsSync('done') && process.exit(), 20)"
    writeFileSync(join(cwd, 'beat.js'), `${BEATS}\n${ending}`)
    const line = ['webhooks', 'work', '--from', url, '--exec', 'node beat.js']
    // NODE_OPTIONS also loads taskkill.cjs in the process that kills the command if the worker dies.
    const env = {
      ...freshHome(),
      ...POSTGRES_ENV,
      NODE_OPTIONS: `--require ${join(ROOT, 'test/windows/taskkill.cjs')}`,
    }
    const worker = watched(startPartner(line, { cwd, env }))
    await until(() => existsSync(join(cwd, 'beats')))
    return { cwd, worker }
  }

  test('if webhooks work is killed, its --exec command and all child processes end', async () => {
    const { cwd, worker } = await working()
    worker.process.kill('SIGKILL')
    await worker.ended
    await untilSilent(join(cwd, 'beats'))
  })

  test('webhooks work --exec waits for its command after Ctrl-C', async () => {
    const { cwd, worker } = await working()
    worker.process.kill('SIGINT')
    await worker.says('waiting')
    writeFileSync(join(cwd, 'done'), '')
    expect(await worker.ended).toMatchObject({ code: 0 })
  })
})

describe('secrets from commands on Windows', () => {
  async function run(command: string, cwd: string) {
    const server = await startRawServer(() => answers(200, []))
    const env = { ...freshHome(), PARTNER_RETRIES: '0' }
    const add = ['profiles', 'add', 'till', '--base-url', server.baseUrl, '--api-key', `command:${command}`]
    expect(await runPartner(add, { cwd, env })).toMatchObject({ code: 0 })
    const { code } = await runPartner('bookings statuses --profile till', { cwd, env })
    return { code, key: server.requests[0]?.headers['x-api-key'] }
  }

  test('a command that provides a secret runs in cmd.exe, which does not look for programs in the current directory', async () => {
    // Wine's cmd.exe ignores this variable, so the test checks only that it is set.
    const command = 'echo key-%NoDefaultCurrentDirectoryInExePath%'
    expect(await run(command, freshDirectory())).toEqual({ code: 0, key: 'key-1' })
  })
})
