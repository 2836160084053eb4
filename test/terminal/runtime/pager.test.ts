import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { runInTerminal, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'

/** A pager that marks each line that it receives. */
function freshPager(): string {
  const path = join(freshDirectory(), 'pager')
  writeFileSync(path, '#!/bin/sh\nsed "s/^/paged: /"\n', { mode: 0o755 })
  return path
}

const PAGED = /^paged: [A-Z]/m
const show = async (args: readonly string[], env: Environment) => {
  const { code, screen } = await runInTerminal(args, [], { ...freshHome(), ...env })
  expect(code).toBe(0)
  return screen.replaceAll('\r', '')
}

describe('pager', () => {
  needs(TERMINAL)

  test('at a terminal, guides and help pages are shown in the pager that PARTNER_PAGER names, even if PAGER is set', async () => {
    expect(await show(['help', 'money'], { PAGER: freshPager() })).toMatch(PAGED)
    expect(await show(['help', 'money'], { PARTNER_PAGER: freshPager(), PAGER: 'false' })).toMatch(PAGED)
    expect(await show(['bookings', 'list', '--help'], { PARTNER_PAGER: `${freshPager()} | cat` })).toMatch(PAGED)
  })

  test.each([
    ['--no-pager', ['help', 'money', '--no-pager'], {}],
    ['--no-pager before the words', ['--no-pager', 'help', 'money'], {}],
    ['an empty PARTNER_PAGER', ['help', 'money'], { PARTNER_PAGER: '' }],
    ['TERM=dumb', ['help', 'money'], { TERM: 'dumb' }],
  ])('%s prints a guide without a pager', async (_what, args, env) => {
    const screen = await show(args, { PAGER: freshPager(), ...env })
    expect(screen).not.toMatch(/^paged: /m)
    expect(screen).toContain('giftcards redeem')
  })

  test('a page that fits on the screen is printed without a pager', async () => {
    const line = `stty rows 40; ${shellLine(['--help'])}`
    const { screen } = await runLineInTerminal(line, [], { ...freshHome(), PAGER: freshPager() })
    expect(screen).not.toContain('paged: ')
  })

  test('a page is still printed if the pager is not installed', async () => {
    expect(await show(['help', 'money'], { PAGER: 'no-such-pager --fast' })).toContain('giftcards redeem')
  })

  test('a page that is printed to a pipe is not shown in a pager', async () => {
    const run = await runPartner(['help', 'money'], { env: { ...freshHome(), PAGER: freshPager() } })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).not.toContain('paged: ')
  })

  test('--no-pager is accepted before every command', async () => {
    const run = await runPartner(['--no-pager', 'profiles', 'list', '--json'], { env: freshHome() })
    expect(run).toMatchObject({ code: 0 })
  })
})
