import { describe, expect, test } from 'vitest'
import { problemLine } from '../../../../src/webhooks/subscriptions/desired.ts'
import { parseSubscriptions } from '../../../../src/webhooks/subscriptions/file/parse.ts'

const SECRET = 'hunter2-hunter2'

async function problemsOf(text: string, isChecked = true): Promise<string[]> {
  const { problems } = await parseSubscriptions(text, isChecked)
  return problems.map((problem) => problemLine('', problem).slice(1))
}

const GOOD = `- event: BOOKING_CREATED
  webhookUrl: https://pos.example/hooks
- event: GIFTCARDS_REDEEMED
  webhookUrl: "https://pos.example/cards"
  securityKey: env:HOOK
  securityToken: file:/run/secrets/token
`

describe('valid subscription files', () => {
  const subscriptions = [
    { event: 'BOOKING_CREATED', webhookUrl: 'https://pos.example/hooks', securityKey: null, securityToken: null },
    {
      event: 'GIFTCARDS_REDEEMED',
      webhookUrl: 'https://pos.example/cards',
      securityKey: { source: { env: 'HOOK' }, place: { line: 5, column: 16 } },
      securityToken: { source: { file: '/run/secrets/token' }, place: { line: 6, column: 18 } },
    },
  ]

  test('apply parses a YAML list of subscriptions', async () => {
    expect(await parseSubscriptions(GOOD, true)).toEqual({ subscriptions, problems: [] })
    expect(await parseSubscriptions(`---\n# ours\n${GOOD.replaceAll('\n', '\r\n')}...\n`, true)).toMatchObject({
      problems: [],
    })
  })

  test('apply parses a JSON list of subscriptions on one or several lines, even with tabs', async () => {
    const plain = [
      subscriptions[0],
      { ...subscriptions[1], securityKey: 'env:HOOK', securityToken: 'file:/run/secrets/token' },
    ].map((one) => Object.fromEntries(Object.entries(one ?? {}).filter(([, value]) => value !== null)))
    for (const indent of [undefined, 2, '\t']) {
      const { subscriptions: found, problems } = await parseSubscriptions(JSON.stringify(plain, null, indent), true)
      expect(problems).toEqual([])
      expect(found.map(({ event, webhookUrl }) => [event, webhookUrl])).toEqual(
        subscriptions.map(({ event, webhookUrl }) => [event, webhookUrl]),
      )
      expect(found[1]?.securityKey?.source).toEqual({ env: 'HOOK' })
    }
  })

  test('apply parses an empty list of subscriptions', async () => {
    expect(await parseSubscriptions('[]', true)).toEqual({ subscriptions: [], problems: [] })
  })

  test('apply accepts any event and any URL if checks are disabled', async () => {
    const text = '[{"event": "NOPE", "webhookUrl": "ftp://x"}]'
    expect(await problemsOf(text, false)).toEqual([])
    expect(await problemsOf(text)).toHaveLength(2)
  })
})

const TO = '- event: BOOKING_CREATED\n  webhookUrl: '
const TO_A = '  webhookUrl: https://a.example'
const entry = (more: string) => `- event: BOOKING_CREATED\n${TO_A}\n${more}`

describe('problems in a subscription file', () => {
  test.each([
    ['an unknown event', `- event: booking_create\n${TO_A}`, /^1:10: unknown event .*BOOKING_CREATED\?$/],
    [
      'an unknown event that is not similar to any other',
      `- event: X\n${TO_A}`,
      /^1:10: unknown event "X"; use one of BOOKING_CREATED,/,
    ],
    ['a misspelled member', entry('  webhokUrl: x'), /^3:3: unknown member "webhokUrl"; did you mean webhookUrl\?$/],
    ['an unknown member', entry('  headers: [a]'), /^3:3: unknown member "headers"; use one of event, webhookUrl/],
    ['a repeated member', entry('  event: BOOKING_UPDATED'), /^3:3: event is repeated$/],
    ['a missing event', '-   webhookUrl: https://a.example', /^1:5: event is missing$/],
    ['a missing URL', '- event: BOOKING_CREATED', /^1:3: webhookUrl is missing$/],
    ['an event without a value', `- event:\n${TO_A}`, /^1:3: event has no value$/],
    ['a number as the event', `- event: 5\n${TO_A}`, /^1:10: event must be text: put it in quotes$/],
    ['a list instead of text', `- event: [a]\n${TO_A}`, /^1:10: event must be text$/],
    ['a URL without a scheme', `${TO}pos.example/x`, /^2:15: webhookUrl must be an absolute http/],
    ['a repeated event', entry('').repeat(2), /^3:10: BOOKING_CREATED is repeated: it is already on line 1$/],
    ['text instead of an entry', '- BOOKING_CREATED', /^1:3: expected a subscription/],
    ['an object instead of a list', 'event: BOOKING_CREATED', /^1:1: expected a list: begin each/],
    ['text instead of a list', 'BOOKING_CREATED', /^1:1: expected a list of subscriptions/],
    ['an empty file', '', /^1:1: the file is empty; write \[\]/],
    ['a file with nothing but comments', '# hooks\n\n', /^1:1: the file is empty/],
    ['two documents', `${entry('')}---\n${entry('')}`, /^3:1: a second document starts/],
    ['indentation with a tab', '- event: BOOKING_CREATED\n\twebhookUrl: https://a.example', /^2:/],
    ['an unclosed quote', '- event: "BOOKING', /^1:10: a quote is not closed$/],
    ['a missing comma', '[\n  {"event": "BOOKING_CREATED" "webhookUrl": "https://a.example"}]', /^2:\d+: /],
    ['an unclosed bracket', '[{"event": "BOOKING_CREATED"', /^1:\d+: .*bracket is not closed$/],
    ['a member without a colon', '- event: BOOKING_CREATED\n  webhookUrl\n', /^2:3: a colon and a space are missing/],
    ['wrong indentation', '- event: BOOKING_CREATED\n webhookUrl: https://a.example', /^2:1: the indentation is wrong/],
    ['NDJSON', '{"event":"A"}\n{"event":"B"}\n', /^2:1: /],
    ['a tag', '- !include other.yaml', /^1:3: /],
    ['a tag that changes the type of a list', '!!omap [{event: BOOKING_CREATED}]', /^1:\d+: expected a plain list/],
  ])('apply reports the line and column of %s', async (_, text, line) => {
    const [first] = await problemsOf(text)
    expect(first).toMatch(line)
  })

  test('apply reports all problems in file order, up to the first syntax error', async () => {
    const text = '- event: NOPE\n  webhookUrl: x\n- event: BOOKING_CREATED\n  securtyKey: env:A\n'
    expect((await problemsOf(text)).map((line) => line.split(':', 2).join(':'))).toEqual(['1:10', '2:15', '3:3', '4:3'])
    const broken = `${text}- event: "X\n- event: NOPE\n`
    const found = await problemsOf(broken)
    expect(found.slice(0, 4)).toEqual(await problemsOf(text))
    expect(found.slice(4).join('\n')).toMatch(/^5:10: a quote is not closed$/)
  })
})

describe('mistakes in a file that might contain secrets', () => {
  test.each([
    ['a plain secret', entry(`  securityKey: ${SECRET}`), /^3:16: securityKey must be env:VARIABLE or file:PATH/],
    ['a command', entry(`  securityToken: command:echo ${SECRET}`), /^3:18: securityToken must be env/],
    ['a space after env:', entry(`  securityKey: env: ${SECRET}`), /^3:\d+: this line contains a second colon/],
    ['no space after the colon', `- {event: A, securityKey:${SECRET}}`, /a space is missing after securityKey:$/m],
    ['a tag', entry(`  securityKey: !${SECRET} x`), /^3:16: tags/m],
    ['an invalid escape', entry(`  securityKey: "\\q${SECRET}"`), /^3:\d+: .*escape/],
    ['text that begins with a forbidden character', entry(`  securityKey: @${SECRET}`), /^3:16: text cannot begin/],
    ['a block scalar', entry(`  securityKey: |${SECRET}`), /^3:\d+: /],
    ['an alias', entry(`  securityKey: *${SECRET}`), /^3:16: anchors/m],
    ['a password in the URL', `${TO}https://a:${SECRET}@a.example`, /^2:15: webhookUrl must not contain a user/],
  ])('apply reports a mistake without quoting the secret: %s', async (_, text, line) => {
    const said = (await problemsOf(text)).join('\n')
    expect(said).toMatch(line)
    expect(said).not.toContain(SECRET)
  })
})

describe('files with YAML aliases or excessive nesting', () => {
  test('apply rejects anchors and aliases without expanding them', async () => {
    const bomb = `- &a [x, x]\n${'bcdefgh'
      .split('')
      .map((name, at) => `- &${name} [*${'abcdefg'[at]}, *${'abcdefg'[at]}]\n`)
      .join('')}`
    const lines = await problemsOf(bomb)
    expect(lines).toHaveLength(8)
    expect(lines[0]).toMatch(/^1:\d+: anchors \(&\) and aliases \(\*\) are not allowed: write the value out$/)
    expect(
      await problemsOf('- &u\n  event: BOOKING_CREATED\n  webhookUrl: https://a.example\n- <<: *u\n'),
    ).toHaveLength(4)
  })

  test('apply rejects excessive nesting and can report thousands of unknown members', async () => {
    expect(await problemsOf('['.repeat(60_000))).toEqual([expect.stringMatching(/^1:257: .*256 levels deep/)])
    const members = Array.from({ length: 8000 }, (_, at) => `  a${at}: 1`).join('\n')
    expect(await problemsOf(`-\n${members}`)).toHaveLength(8002)
  })
})
