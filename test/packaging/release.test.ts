import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { noteUpdates } from '../../scripts/package/prepare.ts'
import { updateSource } from '../../src/terminal/update/source.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { files, scripts } = JSON.parse(text('package.json')) as {
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}

interface Job {
  readonly needs?: string | readonly string[]
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[]
}

const { jobs } = parse(text('.github/workflows/release.yml')) as { readonly jobs: Readonly<Record<string, Job>> }
const runsOf = ({ steps }: Job): string => steps.map(({ run = '' }) => run).join('\n')

test('every script that the release workflow or docs/releasing.md runs exists', () => {
  const all = [text('docs/releasing.md'), ...Object.values(jobs).map(runsOf)].join('\n')
  const named = [...all.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name = '']) => name)
  expect(named).toEqual(expect.arrayContaining(['package', 'package:check', 'package:reproduce']))
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const paths = [...all.matchAll(/\b(?:scripts|packaging|runtime)\/[\w./-]+\w/g)].map(([path]) => path)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('the publish job runs only after the build and try jobs, and only the publish job has write permissions', () => {
  expect(jobs['publish']?.needs).toEqual(['build', 'try'])
  expect(jobs['try']?.needs).toBe('build')
  const permitted = Object.entries(jobs).filter(([, { permissions }]) => permissions['id-token'] === 'write')
  expect(permitted.map(([name]) => name)).toEqual(['publish'])
  for (const name of ['build', 'try']) expect(Object.values(jobs[name]?.permissions ?? {})).not.toContain('write')
})

test('every installer creates the code cache with a script that every package contains', () => {
  const [, script] = /lib\/partner\/(scripts\/\S+\.cjs)/.exec(text('packaging/Dockerfile')) ?? []
  expect(files).toContain(script)
  expect(text('packaging/homebrew/partner.rb')).toContain(`libexec/"lib/partner/${script}"`)
  expect(text('packaging/debian/postinst')).toContain(`/partner/${script}"`)
  const { post_install } = JSON.parse(text('packaging/scoop/partner.json')) as { readonly post_install: string }
  expect(post_install).toContain(`\\lib\\partner\\${script?.replaceAll('/', '\\')}"`)
})

describe('the update URL of a build', () => {
  const url = 'https://releases.example/partner/latest'

  test('a package contains an update URL only if the build was given one', () => {
    const dist = freshDirectory()
    const page = 'https://releases.example/partner'
    noteUpdates(dist, { PARTNER_UPDATE_URL: url, PARTNER_UPDATE_PAGE: page })
    expect(updateSource({}, dist)).toEqual({ address: url, page, from: 'this release' })
    noteUpdates(dist, { PARTNER_UPDATE_URL: url })
    expect(updateSource({}, dist)).toEqual({ address: url, page: null, from: 'this release' })
    noteUpdates(dist, {})
    expect(updateSource({}, dist)).toBeNull()
  })

  test('the update URL must be a valid https URL', () => {
    const wrong = { PARTNER_UPDATE_URL: 'http://releases.example/latest' }
    expect(() => noteUpdates(freshDirectory(), wrong)).toThrow(/PARTNER_UPDATE_URL must be an https address/)
    const wrongPage = { PARTNER_UPDATE_URL: url, PARTNER_UPDATE_PAGE: 'releases.example' }
    expect(() => noteUpdates(freshDirectory(), wrongPage)).toThrow(/PARTNER_UPDATE_PAGE/)
  })

  test('the release workflow sets the update URL before it builds the packages', () => {
    const runs = jobs['build']?.steps.map(({ run = '' }) => run) ?? []
    const said = runs.findIndex((run) => run.includes('PARTNER_UPDATE_URL=$GITHUB_API_URL/'))
    expect(runs[said]).toContain('>> "$GITHUB_ENV"')
    expect(said).toBeGreaterThan(-1)
    expect(said).toBeLessThan(runs.indexOf('npm run package'))
  })
})
