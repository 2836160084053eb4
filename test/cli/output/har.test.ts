import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner, runProgram, runShell } from '../../support/partner.ts'
import { answers, RAW_KEY, resets, startRawServer, truncated } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { sandboxOfThisFile } from '../../support/sandbox-process.ts'

const sandbox = await sandboxOfThisFile()
const env = {
  ...sandbox.env,
  PARTNER_SIGNING_SECRET: sandbox.signingSecret,
  PARTNER_NAME: sandbox.partnerName,
  PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader,
  PARTNER_LOCATION_ID: sandbox.locationId,
}
const run = (...args: string[]) => runPartner(args, { env: { ...freshHome(), ...env } })

/** Records with numbers that a float would not give back, of which `9.50` is less than `10`. */
const MONEY =
  '[{"id":"a","total":25.00,"n":9007199254740993},{"id":"b","total":9.50,"n":1},{"id":"c","total":10,"n":9007199254740993}]'

/** What a query finds in {@link MONEY}, as `bookings statuses` prints it. */
async function found(expression: string, ...args: string[]) {
  const server = await startRawServer([answers(200, MONEY, { 'content-type': 'application/json' })])
  return runPartner(['bookings', 'statuses', '--query', expression, ...args], {
    env: { ...freshHome(), ...server.env },
  })
}

describe('--query', () => {
  test.each([
    ['[].total', '[\n25.00,\n9.50,\n10\n]'],
    ['[?total > `9.6`].id', '[\n"a",\n"c"\n]'],
    ['[?total == `25`].id', '[\n"a"\n]'],
    ['sort([].total)', '[\n9.50,\n10,\n25.00\n]'],
    ['sort_by(@, &total)[].id', '[\n"b",\n"c",\n"a"\n]'],
    ['max([].total)', '25.00'],
    ['min([].total)', '9.50'],
    ['max_by(@, &total)', '{"id":"a","total":25.00,"n":9007199254740993}'],
    ['sum([].total)', '44.50'],
    ['[0].n', '9007199254740993'],
    ['contains([].total, `9.5`)', 'true'],
    ['to_string([0].total)', '"25.00"'],
    ['type([0].total)', '"number"'],
    ['length(@)', '3'],
    ['[0].{id: id, cost: total}', '{"id":"a","cost":25.00}'],
    ['[?n == `9007199254740993`].id | [0]', '"a"'],
    ['[?id == `b`].total', '[\n9.50\n]'],
    ["[?id == 'b'].total", '[\n9.50\n]'],
    ['let $most = [0].total in [?total == $most].id', '[\n"a"\n]'],
    ['[0].constructor', 'null'],
    ['[0].total.text', 'null'],
    ['nothing', 'null'],
    ['`[]`', '[]'],
  ])('%s', async (expression, expected) => {
    expect(await found(expression)).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' })
  })

  test('implies JSON; -o says otherwise', async () => {
    expect((await found('[].total', '-o', 'ndjson')).stdout).toBe('25.00\n9.50\n10\n')
    expect((await found('[].{k: id, t: total}', '-o', 'csv')).stdout).toBe('k,t\r\na,25.00\r\nb,9.50\r\nc,10\r\n')
    expect((await found('[].id', '-o', 'csv')).stdout).toBe('value\r\na\r\nb\r\nc\r\n')
    expect((await found('[].{k: id, t: total}', '-o', 'table')).stdout).toBe('k      t\na  25.00\nb   9.50\nc     10\n')
    expect((await found('[0]', '-o', 'json', '--columns', 'total')).stdout).toBe('{"total":25.00}\n')
  })

  test.each([
    ['[', 'not a JMESPath expression'],
    ['', 'not a JMESPath expression'],
    ['lenght(@)', /no function lenght\(\); did you mean length\(\)\?/],
    ['length(@, @)', /takes 1 argument but received 2/],
  ])('%j is refused before any request', async (expression, says) => {
    const server = await startRawServer([answers(200, [])])
    const done = await runPartner(['bookings', 'statuses', '--query', expression], {
      env: { ...freshHome(), ...server.env },
    })
    expectRefusal(done, { code: 2, says })
    expect(server.connections).toBe(0)
  })

  test('one that does not fit the answer says why, and prints nothing', async () => {
    expectRefusal(await found('sum([].id)'), { code: 2, says: /--query does not fit the answer: .*number/ })
  })

  test('a list that breaks off is not queried as if it were whole', async () => {
    const server = await startRawServer([truncated(MONEY, 60)])
    const done = await runPartner(['bookings', 'statuses', '--query', 'length(@)'], {
      env: { ...freshHome(), ...server.env },
    })
    expect(done).toMatchObject({ code: 13, stdout: '' })
  })

  test('works on one object, on commands that call nothing, and on the objects of the service behind a table', async () => {
    expect((await run('giftcards', 'get', 'GIFT1-00000100-AAAA', '--query', 'remainingAmount')).stdout).toBe('100\n')
    expect((await run('profiles', 'list', '--query', 'length(@)')).stdout).toBe('0\n')
    const tables = await run('bookings', 'tables', '--date', '2026-12-01', '--query', '[0].sectionName', '-o', 'ndjson')
    expect(tables.stdout).toBe('"Main Dining"\n')
  })
})

describe('--har', () => {
  interface Entry {
    readonly request: {
      readonly method: string
      readonly url: string
      readonly headers: { name: string; value: string }[]
    }
    readonly response: {
      readonly status: number
      readonly content: { readonly text: string; readonly comment?: string }
    }
  }
  const entriesOf = (file: string) => {
    const { log } = JSON.parse(readFileSync(file, 'utf8'))
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'partner' } })
    return log.entries as readonly Entry[]
  }

  test('holds each request with its answer, without the key, readable by its owner alone', async () => {
    const file = join(freshDirectory(), 'traffic.har')
    expect(await run('customers', 'list', '--limit', '3', '--page-size', '2', '--har', file)).toMatchObject({ code: 0 })
    const entries = entriesOf(file)
    expect(entries.map(({ request }) => new URL(request.url).search)).toEqual([
      '?Limit=2&StartIndex=0',
      '?Limit=1&StartIndex=2',
    ])
    expect(entries[0]?.request.headers).toContainEqual({ name: 'x-api-key', value: '••••' })
    expect(JSON.parse(entries[0]?.response.content.text ?? '').items).toHaveLength(2)
    expect(readFileSync(file, 'utf8')).not.toContain(sandbox.apiKey)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is written also when the command fails, each attempt of it', async () => {
    const file = join(freshDirectory(), 'traffic.har')
    const server = await startRawServer([
      answers(503, { message: 'Try later' }),
      resets,
      answers(404, { message: 'Gone' }),
    ])
    const done = await runPartner(['bookings', 'get', 'BK-1', '--har', file], {
      env: { ...freshHome(), ...server.env },
    })
    expect(done.code).toBe(3)
    expect(entriesOf(file).map(({ response }) => response.status)).toEqual([503, 0, 404])
  })

  test('holds no secret, wherever the service repeats it', async () => {
    const file = join(freshDirectory(), 'traffic.har')
    const hook = 'hook-secret-0815'
    const server = await startRawServer([
      answers(
        400,
        { message: `bad key ${RAW_KEY}`, securityKey: hook, nested: [{ SecurityToken: hook }] },
        { 'set-cookie': 'id=1' },
      ),
    ])
    const done = await runPartner(
      ['webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/h', '--security-key', 'env:HOOK', '--har', file],
      { env: { ...freshHome(), ...server.env, HOOK: hook } },
    )
    expect(done.code).toBe(5)
    const text = readFileSync(file, 'utf8')
    for (const secret of [RAW_KEY, hook, 'id=1']) expect(text).not.toContain(secret)
    expect(entriesOf(file)[0]?.request).toMatchObject({ method: 'POST' })
  })

  test('hides the signature, and the signing secret wherever it stands', async () => {
    const file = join(freshDirectory(), 'traffic.har')
    const done = await run(
      'inbound',
      'balance',
      'GIFT1-00000100-AAAA',
      '--param',
      `x=${sandbox.signingSecret}`,
      '--har',
      file,
    )
    expect(done.code).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain(sandbox.signingSecret)
    expect(entriesOf(file)[0]?.request.headers).toContainEqual({ name: 'x-partner-signature', value: '••••' })
  })

  test('of a long answer it keeps the beginning, and says so', async () => {
    const file = join(freshDirectory(), 'traffic.har')
    const many = Array.from({ length: 30_000 }, (_none, index) => ({ bookingId: `BK-${index}`, notes: 'x'.repeat(60) }))
    const server = await startRawServer([answers(200, { bookings: many })])
    const done = await runPartner(['bookings', 'list', '--from', 'today', '-o', 'ndjson', '--har', file], {
      env: { ...freshHome(), ...server.env },
    })
    expect(done.stdout.split('\n')).toHaveLength(30_001)
    expect(entriesOf(file)[0]?.response.content.comment).toMatch(/^the first 1048576 of \d+ bytes$/)
    expect(statSync(file).size).toBeLessThan(2_000_000)
  })

  test('a file that cannot be written is refused before any request', async () => {
    const server = await startRawServer([answers(200, [])])
    for (const file of ['/no/such/place/x.har', freshDirectory(), '']) {
      const done = await runPartner(['bookings', 'statuses', '--har', file], { env: { ...freshHome(), ...server.env } })
      expectRefusal(done, { code: 2, says: '--har cannot write' })
    }
    expect(server.requests).toEqual([])
  })
})

describe('--dry-run --curl', () => {
  /** Runs what the tool printed in bash, with the sandbox's key, and gives what curl printed. */
  async function pasted(...args: string[]) {
    const shown = await run(...args, '--dry-run', '--curl')
    expect(shown.code).toBe(0)
    expect(shown.stdout).not.toContain(sandbox.apiKey)
    return runProgram('bash', ['-c', shown.stdout], {
      env: { PARTNER_API_KEY: sandbox.apiKey, PARTNER_SECURITY_KEY: 'from-the-variable' },
    })
  }

  test('a read', async () => {
    const done = await pasted('bookings', 'statuses')
    expect(JSON.parse(done.stdout)).toEqual(JSON.parse((await run('bookings', 'statuses', '--json')).stdout))
  })

  test('a write whose body has quotes, dollars, backticks, line breaks and other scripts in it', async () => {
    const notes = `it's "here": $HOME \`id\` \\ !! * \n 小芳 %41 'x'`
    const time = ['--people', '2', '--time', '2026-12-01 18:00', '--notes', notes]
    const { bookingId } = JSON.parse((await pasted('bookings', 'create', ...time)).stdout)
    const booking = JSON.parse((await run('bookings', 'get', bookingId, '--json')).stdout)
    expect(booking.notes).toBe(notes)
  })

  test('a query with characters that mean something to curl and bash', async () => {
    const done = await pasted('giftcards', 'list', '--sku', `[1-3]{a,b}'"&;$(id)`)
    expect(JSON.parse(done.stdout)).toMatchObject({ items: [] })
  })

  test('a post without a body, and a delete', async () => {
    const [{ id }] = JSON.parse((await run('customers', 'list', '--limit', '1', '--json')).stdout)
    expect(JSON.parse((await pasted('customers', 'unsubscribe', id)).stdout)).toMatchObject({ subscribed: false })
    await run('webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/h')
    await pasted('webhooks', 'delete', 'BOOKING_CREATED', '--yes')
    expect(await run('webhooks', 'get', 'BOOKING_CREATED')).toMatchObject({ code: 3 })
  })

  test('a credential of a webhook is a variable, and said to be one', async () => {
    const args = ['webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/h', '--security-key', 'env:HOOK']
    const shown = await runPartner([...args, '--dry-run', '--curl'], {
      env: { ...freshHome(), ...env, HOOK: 'hunter2-hunter2' },
    })
    expect(shown.stdout).not.toContain('hunter2')
    expect(shown.stderr).toMatch(/PARTNER_API_KEY, PARTNER_SECURITY_KEY/)
    const done = await runProgram('bash', ['-c', shown.stdout], {
      env: { PARTNER_API_KEY: sandbox.apiKey, PARTNER_SECURITY_KEY: 'key-1' },
    })
    expect(JSON.parse(done.stdout)).toMatchObject({ event: 'BOOKING_CREATED' })
    expect((await run('webhooks', 'get', 'BOOKING_CREATED', '--json')).stdout).toContain('"authenticationEnabled":true')
  })

  test('a signed request', async () => {
    const done = await pasted('inbound', 'balance', 'GIFT1-00000100-AAAA')
    expect(JSON.parse(done.stdout)).toMatchObject({ remainingAmount: 100 })
  })

  test('a body that is no text', async () => {
    const directory = freshDirectory()
    writeFileSync(join(directory, 'body'), Buffer.from([0, 255, 10, 39]))
    const server = await startRawServer([answers(200, 'ok')])
    const args = ['api', 'POST', '/x', '--data', '@body', '--header', 'Content-Type: application/octet-stream']
    const shown = await runPartner([...args, '--dry-run', '--curl'], {
      env: { ...freshHome(), ...server.env },
      cwd: directory,
    })
    const done = await runProgram('bash', ['-c', shown.stdout], { env: { PARTNER_API_KEY: RAW_KEY } })
    expect(done).toMatchObject({ code: 0, stdout: 'ok' })
    expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '4', 'x-api-key': RAW_KEY })
  })

  test('without --dry-run it is a usage error', async () => {
    expectRefusal(await run('bookings', 'statuses', '--curl'), { code: 2, says: '--curl is for --dry-run' })
  })
})

describe('lists', () => {
  test('what fails after the first piece is an incomplete list, not the failure of a read', async () => {
    const booking = { bookings: [{ bookingId: 'BK-1' }] }
    const server = await startRawServer([answers(200, booking), answers(400, { message: 'Invalid Date passed.' })])
    const done = await runPartner(
      ['bookings', 'list', '--from', '2026-11-01', '--to', '2026-11-03', '--window', '1d', '-o', 'ndjson'],
      { env: { ...freshHome(), ...server.env } },
    )
    expect(done).toMatchObject({ code: 13, stdout: '{"bookingId":"BK-1"}\n' })
    expect(reportedError(done)).toMatchObject({ code: 'INCOMPLETE', details: { records: 1, code: 'REJECTED' } })
  })

  test('a reader that goes away ends the run', async () => {
    const home = freshHome()
    mkdirSync(home.PARTNER_DATA_DIR, { recursive: true })
    const done = await runShell('partner customers list --profile sandbox -o ndjson --page-size 5 | head -1', {
      env: home,
    })
    expect(done.stdout.split('\n')).toHaveLength(2)
  })
})
