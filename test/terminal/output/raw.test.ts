import { describe, expect, test } from 'vitest'
import { skipWithout } from '../../support/needs.ts'
import { freshHome, runPartner, startProgram } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { runInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'

/** Records whose names contain tabs, line breaks, backslashes and control characters. */
const RECORDS = JSON.stringify([
  { id: 'a', name: 'Ann "Annie" O\'Neil', n: 1 },
  { id: 'b', name: 'tab\there, line\nbreak, back\\slash', n: 2 },
  { id: 'c', name: '\u001b[31mred\u202e', n: null },
]).replace('"n":1', '"n":1.50')

async function served() {
  const server = await startRawServer([answers(200, RECORDS, { 'content-type': 'application/json' })])
  return { ...freshHome(), ...server.env }
}

async function raw(query: string, ...args: string[]) {
  return runPartner(['bookings', 'statuses', '--query', query, '-r', ...args], { env: await served() })
}

describe('values printed with --raw', () => {
  test.each([
    ['[0].id', 'a\n'],
    ['[].id', 'a\nb\nc\n'],
    ['[0].name', 'Ann "Annie" O\'Neil\n'],
    ['[1].name', 'tab\there, line\nbreak, back\\slash\n'],
    ['[2].name', '\u001b[31mred\u202e\n'],
    ['[].n', '1.50\n2\n'],
    ['[[0].n, [2].n]', '1.50\nnull\n'],
    ['nothing', 'null\n'],
    ['[?id == `z`]', ''],
    ['[0]', '{"id":"a","name":"Ann \\"Annie\\" O\'Neil","n":1.50}\n'],
    ['[:2].{i: id, n: n}', '{"i":"a","n":1.50}\n{"i":"b","n":2}\n'],
    ['[:2].[id, n]', '["a",1.50]\n["b",2]\n'],
    ['length(@) == `3`', 'true\n'],
  ])('--raw prints the plain values that this query selects: %s', async (query, stdout) =>
    expect(await raw(query)).toEqual({ code: 0, stdout, stderr: '' }),
  )

  test('--raw overrides PARTNER_OUTPUT, but is refused together with -o csv', async () => {
    const env = { ...(await served()), PARTNER_OUTPUT: 'csv' }
    const done = await runPartner(['bookings', 'statuses', '--query', '[].id', '--raw'], { env })
    expect(done).toEqual({ code: 0, stdout: 'a\nb\nc\n', stderr: '' })
    expectRefusal(await raw('[].id', '-o', 'csv'), { code: 2, says: '--raw cannot be used together with -o csv' })
  })

  test('--raw without --query is a usage error, and no request is sent', async () => {
    const server = await startRawServer([answers(200, RECORDS)])
    const done = await server.run(['bookings', 'statuses', '-r'])
    expectRefusal(done, { code: 2, says: /--raw needs --query[\s\S]*--query '\[\]\.bookingId'/ })
    expect(server.connections).toBe(0)
  })

  test('--raw escapes control characters at a terminal', async (context) => {
    skipWithout(context, TERMINAL)
    const { screen } = await runInTerminal(['bookings', 'statuses', '--query', '[2].name', '-r'], [], await served())
    expect(screen).toContain('\\u001b[31mred\\u202e')
  })
})

describe('output for shell scripts', () => {
  /** Runs a bash script that calls the built command as `partner`. Returns the script's output. */
  async function shell(line: string): Promise<string> {
    const script = `set -eu; partner() { ${shellLine([])} "$@"; }; ${line}`
    const { code, stdout, stderr } = await startProgram('bash', ['-c', script], { env: await served() }).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  test('a shell variable can be set to a value printed with -r', async () =>
    expect(await shell(`id=$(partner bookings statuses --query '[0].id' -r); printf '<%s>' "$id"`)).toBe('<a>'))

  test('a shell loop can read TSV line by line and split each line into fields', async () => {
    const loop = `partner bookings statuses -o tsv --columns id,name,n --no-header |
      while IFS=$'\\t' read -r id name n; do printf '%s|%b|%s\\n' "$id" "$name" "$n"; done`
    const rows = ['a|Ann "Annie" O\'Neil|1.50', 'b|tab\there, line\nbreak, back\\slash|2', 'c|\\u001b[31mred\u202e|']
    expect(await shell(loop)).toBe(`${rows.join('\n')}\n`)
  })

  test('awk can split TSV into fields', async () => {
    const line = `partner bookings statuses -o tsv --columns id,n,name | awk -F'\\t' 'NR > 1 { print NF, $1, $2 }'`
    expect(await shell(line)).toBe('3 a 1.50\n3 b 2\n3 c \n')
  })

  test('a shell loop can read CSV lines, because they have no carriage returns', async () => {
    const ids = 'partner bookings statuses -o csv --columns id --no-header'
    expect(await shell(`${ids} | while read -r id; do printf '<%s>' "$id"; done`)).toBe('<a><b><c>')
    const tsv = await shell(`PARTNER_OUTPUT=tsv partner bookings statuses --columns n,id | head -n 2`)
    expect(tsv).toBe('n\tid\n1.50\ta\n')
  })
})
