import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

// Lists the bundled packages, according to esbuild's metafiles. package.json does not show which packages are bundled,
// because it lists all of them as development dependencies.

/** A package that is at least partly contained in a bundle. */
export interface BundledPackage {
  /** The package's name and version, in the form `NAME@VERSION`. */
  readonly id: string
  readonly name: string
  readonly version: string
  /** The SPDX identifier of the package's licence. */
  readonly licence: string
  /** The text of the licence, from the package. */
  readonly licenceText: string
  /** The URL of the package's source code, or `null` if the package does not declare it. */
  readonly source: string | null
  /** The SHA-512 hash of the installed package in hexadecimal, or `null` if the lock file does not contain it. */
  readonly sha512: string | null
  /** The IDs of the packages that this package imports. */
  readonly uses: readonly string[]
}

/** The packages in one or more bundles, and the IDs of the packages that our own source code imports. */
export interface Bundled {
  readonly packages: readonly BundledPackage[]
  readonly usedByUs: readonly string[]
}

/** The licences that are allowed in a release. A maintainer must read any other licence before adding it here. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
])

/**
 * Returns the bundled packages, sorted by name and version. Lists a package only once, even if it is installed in
 * several places. Fails if a package has a licence that is not allowed, or contains no licence text.
 */
export function bundledPackages(root: string, bundles: readonly Metafile[]): Bundled {
  const folders = new Set(
    bundles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap((input) => folderOf(input) ?? []),
  )
  const described = new Map([...folders].map((folder) => [folder, describe(root, folder)]))
  const uses = new Map<string, Set<string>>([['', new Set()]])
  for (const { inputs } of bundles)
    for (const [input, { imports }] of Object.entries(inputs)) {
      const from = described.get(folderOf(input) ?? '')?.id ?? ''
      for (const { path } of imports) {
        const to = described.get(folderOf(path) ?? '')?.id
        if (to !== undefined && to !== from) uses.set(from, (uses.get(from) ?? new Set()).add(to))
      }
    }
  const packages = new Map(
    [...described.values()].map((one) => [one.id, { ...one, uses: [...(uses.get(one.id) ?? [])].sort() }]),
  )
  return {
    packages: [...packages.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    usedByUs: [...(uses.get('') ?? [])].sort(),
  }
}

/** Returns the folder of the package that contains a file, or `null` if the file is our own. */
export function folderOf(input: string): string | null {
  return /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? null
}

function describe(root: string, folder: string): Omit<BundledPackage, 'uses'> {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as {
    readonly name: string
    readonly version: string
    readonly license?: string
    readonly repository?: string | { readonly url?: string }
  }
  const id = `${name}@${version}`
  if (license === undefined || !LICENCES.has(license))
    throw new Error(
      `${id} is in the bundle under ${license ?? 'no licence'}: read it, then see scripts/package/bundled.ts`,
    )
  const licenceText = textOfLicence(join(root, folder))
  if (licenceText === null)
    throw new Error(`${id} is in the bundle, but does not contain the text of its licence (${license})`)
  const source = typeof repository === 'string' ? repository : repository?.url
  return { id, name, version, licence: license, licenceText, source: source ?? null, sha512: sha512Of(root, folder) }
}

/** Returns a package's licence text from its licence files or, if it has none, from its README. */
function textOfLicence(folder: string): string | null {
  const names = globSync('*', { cwd: folder, exclude: ['node_modules'] }).sort()
  const files = names.filter((name) => /^(?:licen[cs]e|copying|notice)\b/i.test(name) && !/\.[cm]?[jt]s$/.test(name))
  if (files.some((name) => !/^notice/i.test(name)))
    return files.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n')
  const readme = names.find((name) => /^readme\b/i.test(name))
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8').replaceAll('\r\n', '\n')
  const section = /^#+ *licen[cs]e\b.*\n([\s\S]*?)(?=^#|$(?![\s\S]))/im.exec(text)?.[1]?.trim()
  return section !== undefined && /permission|licensed under|redistribution/i.test(section) ? section : null
}

function sha512Of(root: string, folder: string): string | null {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string } | undefined>>
  }
  const digest = /^sha512-(\S+)$/.exec(packages[folder]?.integrity ?? '')?.[1]
  return digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex')
}
