import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findSuggestedCommands } from '../../../src/base/failure/suggested.ts'
import { type Environment, freshHome, type Run, runPartner, runShell } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectClean, expectRefusal, reportedError } from '../../support/refusal.ts'
import { expectPrivate } from '../../support/windows.ts'
import { words } from '../../support/words.ts'

const KEY = 'profile-key-0815-abcd'

function home() {
  const env = freshHome()
  const file = join(env.PARTNER_CONFIG_DIR, 'profiles.json')
  const run = (args: readonly string[], options: { input?: string; env?: Environment } = {}): Promise<Run> =>
    runPartner(['profiles', ...args], { input: options.input, env: { ...env, ...options.env } })
  const add = (name: string, baseUrl = 'https://dev.example') =>
    run(['add', name, '--base-url', baseUrl, '--api-key-stdin'], { input: `${KEY}\n` })
  return { env, file, run, add }
}

describe('tags of profiles', () => {
  test('profiles set can add tags, remove single tags and clear all tags', async () => {
    const { run, file } = home()
    const tagsAfter = async (...args: readonly string[]) => {
      const done = await run([...args, '--json'])
      expect(done.code, done.stderr).toBe(0)
      return JSON.parse(done.stdout).tags
    }
    const added = words('add dev --base-url https://dev.example --api-key env:K --tag north --tag bar --tag north')
    expect(await tagsAfter(...added)).toEqual(['bar', 'north'])
    expect(await tagsAfter('set', 'dev', '--tag', 'city')).toEqual(['bar', 'city', 'north'])
    expect(await tagsAfter('set', 'dev', '--untag', 'bar', '--tag', 'late')).toEqual(['city', 'late', 'north'])
    expect(await tagsAfter('set', 'dev', '--timezone', 'UTC')).toEqual(['city', 'late', 'north'])
    expect((await run(['list'])).stdout).toMatch(/^NAME .* TAGS\ndev \* .* city, late, north\n/)
    expect((await run(['list', '-o', 'csv', '--columns', 'name,tags'])).stdout).toContain('city')
    expect((await run(['show', 'dev'])).stdout).toMatch(/Tags +city, late, north/)
    expect(await tagsAfter('set', 'dev', '--tag', '')).toEqual([])
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.dev).not.toHaveProperty('tags')
    expect(await tagsAfter('set', 'dev', '--untag', 'nobody')).toEqual([])
  })

  test.each([
    [['--tag', 'a b'], '--tag must be 1 to 64 letters'],
    [['--tag', 'a,b'], '--tag must be 1 to 64 letters'],
    [['--untag', 'tag:x'], '--untag must be 1 to 64 letters'],
    [['--tag', 'x', '--untag', 'x'], '--tag x and --untag x cannot be used together'],
  ])('profiles set dev refuses %j without changing anything', async (flags, says) => {
    const { run, add, file } = home()
    await add('dev')
    const before = readFileSync(file)
    expectRefusal(await run(['set', 'dev', ...flags]), { code: 2, says })
    expect(readFileSync(file)).toEqual(before)
  })

  test('profiles list names the profile whose stored tags are invalid', async () => {
    const { run, add, file } = home()
    await add('dev')
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    stored.profiles.dev.tags = 'north'
    writeFileSync(file, JSON.stringify(stored))
    expectRefusal(await run(['list']), { code: 2, says: 'profile dev: "tags" must be a list of words' })
  })
})

describe('profiles add', () => {
  test('profiles add stores a key from standard input in a private file and prints only the end of the key', async () => {
    const { env, file, add } = home()
    const run = await add('dev')
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain('••••abcd (stored)')
    expect(run.stderr).toContain('added dev as the current profile; next: partner profiles check dev')
    expectClean(run, [KEY])
    for (const path of [file, env.PARTNER_CONFIG_DIR]) expectPrivate(path)
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.dev).toMatchObject({ baseUrl: 'https://dev.example' })
  })

  test('profiles add --json prints the profile with a masked key', async () => {
    const { run } = home()
    const args = words('add dev --base-url https://dev.example --timezone Europe/London --api-key env:K --json')
    const expected = { name: 'dev', current: true, baseUrl: 'https://dev.example', timezone: 'Europe/London' }
    expect(JSON.parse((await run(args)).stdout)).toMatchObject(expected)
  })

  test.each([
    ['add'],
    ['add dev --timezone UTC'],
    ['add --api-key env:K'],
    ['add dev --signature-header "X-It\'s"', 'add', 'dev', '--signature-header', "X-It's"],
  ])('without a terminal, profiles add suggests a command that works instead of %j', async (line, ...exact) => {
    const { env, run } = home()
    const refused = await run(exact.length > 0 ? exact : words(line))
    expectRefusal(refused, { code: 2, says: '--base-url is required' })
    const [next = { words: [] }] = findSuggestedCommands(/^next: (.*)$/m.exec(refused.stderr)?.[1] ?? '')
    expect(next.words.slice(0, 2)).toEqual(['profiles', 'add'])
    const added = await runPartner(next.words, { env })
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('added dev as the current profile') })
  })

  test('profiles add refuses the name of an existing profile without changing anything', async () => {
    const { file, add } = home()
    await add('dev')
    const before = readFileSync(file)
    const says = 'a profile named "dev" already exists'
    expectRefusal(await add('dev', 'https://other.example'), { code: 2, says, next: /profiles show dev/ })
    expect(readFileSync(file)).toEqual(before)
  })

  test.each([
    // A profile with this name would be confused with the built-in sandbox.
    [['sandbox'], 'the profile "sandbox" is built in'],
    [['Sandbox'], 'the profile "sandbox" is built in'],
    [['SANDBOX'], 'the profile "sandbox" is built in'],
    [['a b'], 'a profile name must be'],
    [['..'], 'a profile name must be'],
    [['-x'], /unknown flag|name/],
    [['dev', '--base-url', 'http://dev.example'], 'must use https'],
    [['dev', '--timezone', 'Mars/Olympus'], '--timezone must be the IANA name'],
    [['dev', '--environment', 'prod'], '--environment must be development or production'],
    [['dev', '--api-key', 'env:K', '--api-key-stdin'], 'cannot be used together'],
    [['dev', '--api-key-stdin', '--signing-secret-stdin'], 'cannot be used together'],
    [['dev', '--api-key', 'env:'], '--api-key'],
  ])('profiles add refuses %j and creates no file', async (args, says) => {
    const { env, run } = home()
    const more = args.includes('--base-url') ? [] : ['--base-url', 'https://dev.example']
    expectRefusal(await run(['add', ...args, ...more], { input: KEY }), { code: 2, says, secrets: [KEY] })
    expect(() => statSync(env.PARTNER_CONFIG_DIR)).toThrow()
  })

  test.each(['', '\n', 'two\nlines\n', 'with\u0000nul'])(
    'profiles add refuses the key %j on standard input',
    async (input) => {
      const added = await home().run(['add', 'dev', '--base-url', 'https://dev.example', '--api-key-stdin'], { input })
      expectRefusal(added, { code: 2, says: /API key/ })
    },
  )
})

describe('profiles list, show, use, set and remove', () => {
  test('profiles list marks the current profile and masks each secret', async () => {
    const { run, add } = home()
    await add('dev')
    await add('live', 'https://live.example')
    const table = await run(['list'])
    expect(table.stdout).toMatch(
      /^NAME .*\ndev \* +.*https:\/\/dev\.example.*••••abcd.*\nlive .*https:\/\/live\.example/,
    )
    expectClean(table, [KEY])
    const listed = JSON.parse((await run(['list', '--json'])).stdout)
    expect(listed.map(({ name, current }: { name: string; current: boolean }) => [name, current])).toEqual([
      ['dev', true],
      ['live', false],
      ['sandbox', false],
    ])
  })

  test("profiles list includes the built-in sandbox and shows each profile's mode", async () => {
    const { env, run } = home()
    const alone = await run(['list'])
    expect(alone.stdout).toMatch(/^NAME +.*\nsandbox +built in +this machine/)
    expect(alone.stderr).toContain('partner profiles add --help')
    const till = 'add till --base-url https://a.example --environment production --mode read-only'
    await run(words(`${till} --api-key file:/no/key`))
    await run(words('add dev --base-url https://b.example --api-key env:K'))
    await run(['use', 'sandbox'])
    const { stdout, stderr } = await run(['list'], { env: { K: KEY } })
    expect(stdout).toMatch(/^NAME +ENVIRONMENT +MODE +BASE URL +TIMEZONE +API KEY +SIGNING SECRET +TAGS\n/)
    expect(stdout).toMatch(/^dev +https:\/\/b\.example +env:K \(set\)$/m)
    expect(stdout).toMatch(/^sandbox \* +built in +this machine +its own$/m)
    expect(stdout).toMatch(
      /^till +production +read-only +https:\/\/a\.example +file:(?:Z:)?[\\/]no[\\/]key \(missing\)$/m,
    )
    expect(stderr).not.toContain('profiles add')
    const listed = JSON.parse((await runPartner(words('profiles list --json'), { env })).stdout)
    expect(listed.map(({ name, builtIn }: { name: string; builtIn: boolean }) => [name, builtIn])).toEqual([
      ['dev', false],
      ['till', false],
      ['sandbox', true],
    ])
  })

  test('a command that finds no profile suggests a sandbox command that works', async () => {
    const { env } = home()
    for (const line of ['bookings statuses', 'giftcards list', 'profiles show', 'profiles check']) {
      const refused = await runPartner(words(line), { env })
      expectRefusal(refused, { code: 4, says: /profile/, next: /profiles add --help/ })
      const [, pasted = ''] = /: (partner .*--profile sandbox)/.exec(refused.stderr) ?? []
      expect(pasted).toMatch(/^partner \w/)
      expect(await runShell(pasted, { env })).toMatchObject({ code: 0 })
    }
  })

  test('profiles use selects another profile or the sandbox as the current profile', async () => {
    const { run, add } = home()
    await add('dev')
    await add('live', 'https://live.example')
    expect(await run(['use', 'live'])).toMatchObject({ code: 0, stderr: 'live is the current profile\n' })
    expect(JSON.parse((await run(['show', '--json'])).stdout)).toMatchObject({ name: 'live', current: true })
    expect(await run(['use', 'sandbox', '--json'])).toMatchObject({ code: 0, stdout: '{"current":"sandbox"}\n' })
  })

  test('profiles use and profiles remove print their result in every format and support --query', async () => {
    const { run, add } = home()
    for (const name of ['a', 'b', 'c', 'd']) await add(name)
    const printed = async (line: string) => (await run(words(line))).stdout.replaceAll('\r', '')
    expect(await printed('use b -o csv')).toBe('current\nb\n')
    expect(await printed('use c -o tsv')).toBe('current\nc\n')
    expect(await printed('use b --query current -r')).toBe('b\n')
    expect(await printed('use c --query current')).toBe('"c"\n')
    expect(await printed('use b -o ndjson')).toBe('{"current":"b"}\n')
    expect(await printed('remove a --yes -o csv')).toBe('removed,current\na,b\n')
    expect(await run(words('remove c --yes --json --columns removed'))).toMatchObject({ stdout: '{"removed":"c"}\n' })
    expect(await printed('remove b --yes -o tsv')).toBe('removed\tcurrent\nb\t\n')
    expect(await printed('remove d --yes -o ndjson')).toBe('{"removed":"d","current":null}\n')
    await add('e')
    expect(await printed('remove e --yes --columns removed')).toBe('removed\ne\n')
  })

  test('profiles set changes only the given settings and clears a setting if its value is empty', async () => {
    const { run, add } = home()
    await add('dev')
    const changed = await run(['set', 'dev', '--timezone', 'UTC', '--partner-name', 'my-pos', '--json'])
    expect(JSON.parse(changed.stdout)).toMatchObject({
      baseUrl: 'https://dev.example',
      timezone: 'UTC',
      partnerName: 'my-pos',
      apiKey: '••••abcd (stored)',
    })
    const emptied = await run(['set', 'dev', '--timezone', '', '--json'])
    expect(JSON.parse(emptied.stdout)).toMatchObject({ timezone: null, partnerName: 'my-pos' })
    expectRefusal(await run(['set', 'dev']), { code: 2, says: 'no change was given' })
  })

  test('profiles remove requires confirmation and removes the profile and its key from the file', async () => {
    const { file, run, add } = home()
    await add('dev')
    expectRefusal(await run(['remove', 'dev']), { code: 2, says: 'needs confirmation', next: /--yes/ })
    const stdout = '{"removed":"dev","current":null}\n'
    expect(await run(['remove', 'dev', '--yes', '--json'])).toMatchObject({ code: 0, stdout })
    expect(readFileSync(file, 'utf8')).not.toContain(KEY)
    expectRefusal(await run(['show', 'dev']), { code: 4, says: 'there is no profile "dev"' })
  })

  test('ten profiles that are added concurrently are all stored', async () => {
    const { run, add } = home()
    const names = Array.from({ length: 10 }, (_, at) => `p${at}`)
    let left = names
    // On a slow disk, some of the ten commands might not get the lock in time. They exit with code 12 and must be
    // retried.
    while (left.length > 0) {
      const added = await Promise.all(left.map((name) => add(name)))
      expect(added.map(({ code }) => code).filter((code) => code !== 0 && code !== 12)).toEqual([])
      expect(added.map(({ code }) => code)).toContain(0)
      left = left.filter((_, at) => added[at]?.code !== 0)
    }
    const listed = JSON.parse((await run(['list', '--json'])).stdout)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([...names, 'sandbox'])
  })
})

describe('profiles check', () => {
  test('profiles check reports that a profile works and shows its base URL', async () => {
    const server = await startRawServer([answers(200, [{ code: 'A' }, { code: 'B' }])])
    const { run, add } = home()
    await add('dev', server.baseUrl)
    for (const args of [['check'], ['check', 'dev'], ['check', '--profile', 'dev']])
      expect(JSON.parse((await run([...args, '--json'])).stdout)).toMatchObject({
        profile: 'dev',
        baseUrl: server.baseUrl,
        ok: true,
        statuses: 2,
      })
    expect(server.requests[0]).toMatchObject({ target: '/Resources/booking-statuses' })
    expect(server.requests[0]?.headers['x-api-key']).toBe(KEY)
    expect((await run(['check'])).stdout).toMatch(/^dev +works\n/)
  })

  test('profiles check works for the sandbox without any configuration', async () => {
    const checked = await home().run(['check', 'sandbox', '--json'])
    expect(JSON.parse(checked.stdout)).toMatchObject({ profile: 'sandbox', ok: true })
  })

  test('profiles check exits with code 4 and names the profile, but not the key, if the service rejects the key', async () => {
    const server = await startRawServer([answers(401, { message: 'Unauthorized' })])
    const { run, add } = home()
    await add('dev', server.baseUrl)
    expectRefusal(await run(['check', 'dev']), { code: 4, says: 'profile dev', secrets: [KEY] })
    expect(reportedError(await run(['check', 'dev', '--json']))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('profiles check refuses two different profile names', async () =>
    expectRefusal(await home().run(['check', 'a', '--profile', 'b']), {
      code: 2,
      says: 'NAME and --profile select different profiles',
    }))
})
