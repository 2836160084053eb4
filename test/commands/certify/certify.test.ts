import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, ROOT, runPartner } from '../../support/partner.ts'
import { refused } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const REFERENCE = `'${process.execPath}' '${join(ROOT, 'docs', 'integration', 'integration.mjs')}'`
const ONE = ['--only', 'sale-409-accepted']
const GOOD = ['--run', REFERENCE, ...ONE]

/** The code of a POS that sends a sale and treats any response other than 200 as a failure. */
const RIGID = `'${process.execPath}' --input-type=module -e '
  let line = ""
  for await (const chunk of process.stdin) line += chunk
  const { sale } = JSON.parse(line)
  const { PARTNER_BASE_URL: url, PARTNER_API_KEY: key } = process.env
  const headers = { "X-API-KEY": key, "Content-Type": "application/json" }
  const { status } = await fetch(url + "/Sales", { method: "POST", headers, body: JSON.stringify(sale) })
  process.exitCode = status === 200 ? 0 : 1
'`

const certify = (...args: readonly string[]) => runPartner(['certify', ...args])

describe('partner certify', () => {
  test('certify verify accepts the signed result that certify prints with --json or writes with --out', async () => {
    const home = freshDirectory()
    const [out, printed] = [join(home, 'out.json'), join(home, 'printed.json')]
    const { code, stdout, stderr } = await certify(...GOOD, '--out', out, '--name', 'Till 2', '--json')
    expect([code, stderr]).toEqual([0, `wrote ${out}; verify it with partner certify verify\n`])
    writeFileSync(printed, stdout)
    expect(stdout).toBe(readFileSync(out, 'utf8'))
    const items = [{ id: 'sale-409-accepted', status: 'passed' }]
    const journal = { hash: expect.stringMatching(/^[0-9a-f]{64}$/), entries: 1 }
    expect(JSON.parse(stdout)).toMatchObject({ ...{ version: 1, name: 'Till 2', items }, journal })
    const verified = await runPartner(['certify', 'verify', printed, '--json'])
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
      0,
      expect.objectContaining({ valid: true, name: 'Till 2', passed: 1, failed: 0, isKnownKey: false }),
    ])
    writeFileSync(printed, stdout.replace('Till 2', 'Till 3'))
    const changed = await runPartner(['certify', 'verify', printed])
    expect([changed.code, changed.stdout]).toEqual([5, ''])
    expect(changed.stderr).toContain('it was changed after it was signed')
  })

  test('certify exits with code 11 and prints its findings and advice if an item failed', async () => {
    const { code, stdout, stderr } = await certify('--run', RIGID, ...ONE)
    expect(code).toBe(11)
    expect(stdout).toMatch(/^sale-409-accepted\s+failed\s/m)
    expect(stderr).toContain('how to fix it: A 409 to POST /Sales means that the service already has this sale')
    expect(stderr).toContain('1 of 1 items failed: sale-409-accepted')
    expect(stderr).toContain('sale-409-accepted: sale must exit with code 0, but exited with code 1')
  })

  test('certify prints its advice once, not for each item, if the integration sends no requests', async () => {
    const only = ['sale-409-accepted', 'key-not-in-urls', 'no-redirect-with-key'].join()
    const { code, stderr } = await certify('--run', 'echo no such till >&2; exit 3', '--only', only)
    expect(code).toBe(11)
    expect(stderr).toContain('sale-409-accepted: sale must exit with code 0, but exited with code 3: no such till\n')
    expect(stderr).toContain('no-redirect-with-key, key-not-in-urls: the integration sent no requests\n')
    expect(stderr.match(/how to fix (?:it|them):/g)).toHaveLength(1)
    expect(stderr).toMatch(/how to fix them: The integration sent no requests\. .*--only/)
    expect(stderr).not.toContain('A 409 to POST /Sales')
  })

  test('certify prints its results with -o junit, -o tap and -o html', async () => {
    const [junit, tap, html] = await Promise.all(
      ['junit', 'tap', 'html'].map((format) => certify('--run', RIGID, ...ONE, '-o', format)),
    )
    expect([junit?.code, tap?.code, html?.code]).toEqual([11, 11, 11])
    expect(junit?.stdout).toContain('<testcase classname="certify" name="sale-409-accepted"')
    expect(junit?.stdout).toContain('>how to fix it: A 409 to POST /Sales means that the service already has this sale')
    expect(tap?.stdout).toMatch(/^TAP version 14\nnot ok 1 - sale-409-accepted\n[\s\S]*1\.\.1\n$/)
    expect(html?.stdout).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/)
    expect(html?.stdout).toContain('1 of 1 items failed')
    expect(html?.stdout).not.toMatch(/<script|(?:src|href)="(?!#)/)
  })

  test('certify -o html escapes the output of the integration', async () => {
    const { stdout } = await certify('--run', 'echo "<script>alert(1)</script>"; exit 1', ...ONE, '-o', 'html')
    expect(stdout).toContain('&lt;script&gt;')
    expect(stdout).not.toContain('<script>')
  })

  test('certify --list includes items from a file, and --only can select them', async () => {
    const file = join(freshDirectory(), 'own.yaml')
    writeFileSync(
      file,
      'version: 1\nitems:\n  - { id: own, name: Own, mend: M, when: [{ do: poll }], expect: [{ exit: 0 }] }\n',
    )
    const { stdout } = await certify('--list', '--items', file, '--json')
    const ids = JSON.parse(stdout).map(({ id }: { readonly id: string }) => id)
    expect([ids.length, ids.at(0), ids.at(-1)]).toEqual([13, 'polls-without-gaps', 'own'])
    const tried = await certify(...words(`--run true --items ${file} --only own -o ndjson --columns id,status`))
    expect([tried.code, tried.stdout]).toEqual([0, '{"id":"own","status":"passed"}\n'])
  })

  test('certify reports all command-line problems before it starts anything', async () => {
    const home = freshDirectory()
    const taken = join(home, 'taken')
    writeFileSync(taken, 'mine')
    const { code, stderr } = await certify(
      ...['--run', 'touch started', '--only', 'backs-of', '--out', taken],
      ...['--sign-with', taken, '--items', join(home, 'none.yaml')],
    )
    expect(code).toBe(2)
    for (const said of [
      'the checklist has no item "backs-of"; did you mean backs-off?',
      `--out: ${taken} already exists`,
      '--sign-with must be file:PATH',
      'none.yaml cannot be read: there is no such file',
    ])
      expect(stderr).toContain(said)
    expect([readFileSync(taken, 'utf8'), existsSync('started')]).toEqual(['mine', false])
    expect((await certify('--list', '-o', 'junit')).stderr).toContain('--list cannot be used together with -o junit')
    expect((await certify()).stderr).toContain('--run is required')
    expect((await certify('--run', ' ')).stderr).toContain('--run must not be empty')
    expect((await certify('--run', 'true', '-o', 'html', '--query', 'items')).stderr).toContain(
      '-o html cannot be used together with --query',
    )
  })

  test('certify --sign-with signs with the given key, and certify verify --key rejects a result signed with another key', async () => {
    const home = freshDirectory()
    const [key, known, out] = [join(home, 'key.pem'), join(home, 'key.pub'), join(home, 'r.json')]
    const { generateKeyPairSync } = await import('node:crypto')
    const pair = generateKeyPairSync('ed25519')
    writeFileSync(key, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }))
    writeFileSync(known, pair.publicKey.export({ format: 'pem', type: 'spki' }))
    expect((await certify(...GOOD, '--out', out, '--sign-with', `file:${key}`, '--quiet')).code).toBe(0)
    const verified = await runPartner(['certify', 'verify', out, '--key', `file:${known}`, '--json'])
    expect([verified.code, JSON.parse(verified.stdout).isKnownKey]).toEqual([0, true])
    writeFileSync(known, generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }))
    const other = await runPartner(['certify', 'verify', out, '--key', `file:${known}`])
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('it was signed with a different key')])
    // --yes is not needed to replace an earlier result.
    expect((await certify(...GOOD, '--out', out, '--quiet')).code).toBe(0)
  })
})

describe('partner certify verify', () => {
  test.each([
    ['an empty file', ''],
    ['a file that is not JSON', 'hello'],
    ['a file with an empty object', '{}\n'],
    ['a file of NUL bytes', '\0'.repeat(500)],
  ])('certify verify exits with code 5 for %s', async (_, text) => {
    const file = join(freshDirectory(), 'r.json')
    writeFileSync(file, text)
    expect((await runPartner(['certify', 'verify', file])).code).toBe(5)
  })

  test('certify verify exits with code 2 if the file does not exist', async () => {
    const verified = runPartner(['certify', 'verify', 'none.json'])
    await refused(verified, 2, 'FILE: none.json cannot be read: there is no such file')
  })
})
