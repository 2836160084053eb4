import type { Bundled, BundledPackage } from './bundled.ts'
import { PLATFORMS, type Platform } from './platforms.ts'

/** The metadata of a release. */
export interface Release {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/**
 * Returns the bill of materials of a release in CycloneDX 1.6 format: every bundled package, and the Node release in
 * each archive. It contains neither a serial number nor a time, so that the same source produces the same bytes.
 */
export function billOfMaterials(release: Release, { packages, usedByUs }: Bundled): string {
  const own = packageUrl(release.name, release.version)
  const refs = new Map(packages.map(({ id, name, version }) => [id, packageUrl(name, version)]))
  const refsOf = (ids: readonly string[]) => ids.map((id) => refs.get(id) ?? id)
  const nodes = PLATFORMS.map(nodeComponent)
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: {
          'bom-ref': own,
          type: 'application',
          name: release.name,
          version: release.version,
          description: release.description,
          licenses: [{ license: { id: release.license } }],
          purl: own,
        },
      },
      components: [...packages.map(packageComponent), ...nodes],
      dependencies: [
        { ref: own, dependsOn: [...refsOf(usedByUs), ...nodes.map((node) => node['bom-ref'])] },
        ...packages.map(({ id, uses }) => ({ ref: refs.get(id) ?? id, dependsOn: refsOf(uses) })),
        ...nodes.map((node) => ({ ref: node['bom-ref'] })),
      ],
    },
    null,
    2,
  )}\n`
}

/** Returns the package URL of an npm package, such as `pkg:npm/%40oclif/core@5.1.9`. */
export function packageUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function packageComponent({ name, version, licence, sha512 }: BundledPackage) {
  const purl = packageUrl(name, version)
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    scope: 'required',
    ...(sha512 === null ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    licenses: [{ license: { id: licence } }],
    purl,
  }
}

function nodeComponent(platform: Platform) {
  const { name: packageName, version: nodeVersion, integrity } = platform.node
  const purl = packageUrl(packageName, nodeVersion)
  return {
    'bom-ref': purl,
    type: 'platform',
    name: packageName,
    version: nodeVersion,
    description: `Node ${nodeVersion}, only in the release files for ${platform.name}; its licence lists its own dependencies`,
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [{ license: { id: 'MIT' } }],
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:-:*:*:*`,
    purl,
  }
}
