import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ODD_KINDS, type OddKind, placeOddFile } from '../../support/odd-files.ts'
import { freshDirectory, freshHome } from '../../support/partner.ts'
import { bashLines, offered } from './offered.ts'

/** Profile names that a shell would execute or expand if they were not quoted. */
const HOSTILE = [
  ...['a b', "it's", 'q"uote', '$(touch ran)', '`touch ran`', 'x; touch ran', 'x & touch ran', '$HOME', '~root', '*'],
  ...['=ls', '{a,b}', 'back\\slash', 'co:lon', 'bang!', '-dash', 'files 3', '%F{red}x', 'é'],
]
/** Profile names that cannot be printed on one line. */
const UNSHOWN = ['new\nline', 'cr\rreturn', 'esc\u001b[31m', 'bell\u0007', 'turn\u202eed', 'half\ud800', 'nul\0']

function homeWith(names: readonly string[], current: string | null = null) {
  const home = freshHome()
  mkdirSync(home.PARTNER_CONFIG_DIR)
  const profiles = Object.fromEntries(names.map((name) => [name, { environment: 'development' }]))
  writeFileSync(join(home.PARTNER_CONFIG_DIR, 'profiles.json'), JSON.stringify({ current, profiles }))
  return home
}

test('completion of --profiles offers "all", tags, profiles and the sandbox, even after a comma', () => {
  const home = homeWith([])
  const profiles = { city: { tags: ['north', 'bar'] }, beach: { tags: ['south', 'bar'] }, odd: { tags: 7 }, no: null }
  writeFileSync(join(home.PARTNER_CONFIG_DIR, 'profiles.json'), JSON.stringify({ profiles }))
  const all = ['all', 'tag:7', 'tag:bar', 'tag:north', 'tag:south', 'city', 'beach', 'odd', 'no', 'sandbox']
  expect(offered('partner bookings list --profiles ', home)).toEqual(all)
  expect(offered('partner --profiles tag:n', home)).toEqual(['tag:north'])
  expect(offered('partner bookings list --profiles city,b', home)).toEqual(['city,beach'])
  expect(offered('partner bookings list --profiles=city,tag:s', home)).toEqual(['--profiles=city,tag:south'])
  expect(offered('partner profiles set city --untag ', home)).toEqual(['7', 'bar', 'north', 'south'])
  expect(bashLines('partner bookings list --profiles tag:no', home)).toEqual(['=north'])
})

describe('completion of profile names', () => {
  test('completion offers the sandbox as a profile, except for commands that change profiles', () => {
    const home = homeWith(['dev', 'till'])
    for (const line of ['partner -p ', 'partner bookings list --profile ', 'partner profiles show '])
      expect(offered(line, home)).toEqual(['dev', 'till', 'sandbox'])
    expect(offered('partner profiles remove ', home)).toEqual(['dev', 'till'])
    expect(offered('partner profiles add ', home)).not.toContain('dev')
  })

  test('completion does not offer a profile name that contains control characters', () => {
    const home = homeWith([...UNSHOWN, 'dev'])
    expect(offered('partner -p ', home)).toEqual(['dev', 'sandbox'])
    expect(bashLines('partner -p ', home)).toEqual(['=dev', '=sandbox'])
  })

  test.each(['', '"', "'"])('bash reads completed profile names literally after the opening quote %j', (quote) => {
    const home = homeWith(HOSTILE)
    const directory = freshDirectory()
    const lines = bashLines(`partner -p ${quote}`, home).map((line) => line.slice(1))
    // Nothing can be escaped inside single quotes, and exclamation marks cannot be escaped inside double quotes.
    const impossible = { "'": "'", '"': '!' }[quote]
    const left = HOSTILE.filter((name) => impossible === undefined || !name.includes(impossible))
    expect(lines).toHaveLength(left.length + 1)
    const script = lines.map((word) => `printf '%s\\n' ${quote}${word}${quote}`).join('\n')
    const printed = execFileSync('bash', ['-c', script], { cwd: directory, encoding: 'utf8' })
    expect(printed.split('\n').slice(0, -1)).toEqual([...left, 'sandbox'])
    expect(existsSync(join(directory, 'ran'))).toBe(false)
  })
})

describe('completion with an invalid profile file', () => {
  test.each(Object.keys(ODD_KINDS) as OddKind[])(
    'completion ignores %s at the path of the profile file without waiting for it',
    async (kind) => {
      const home = freshHome()
      await placeOddFile(kind, join(home.PARTNER_CONFIG_DIR, 'profiles.json'))
      expect(offered('partner -p s', home)).toEqual(['sandbox'])
    },
  )

  test.each(['', 'no JSON', '[]', '7', 'null', '{"profiles":7}', '{"profiles":{"dev":null}}', '{"current":[]}'])(
    'completion ignores a profile file with invalid content: %j',
    (text) => {
      const home = homeWith([])
      writeFileSync(join(home.PARTNER_CONFIG_DIR, 'profiles.json'), text)
      expect(offered('partner -p s', home)).toEqual(['sandbox'])
      expect(offered('partner giftcards get ', home)).toEqual([])
    },
  )

  test('completion ignores an invalid configuration directory', () =>
    expect(offered('partner -p ', { ...freshHome(), PARTNER_CONFIG_DIR: 'relative' })).toEqual(['sandbox']))
})
