import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { bundledFile } from '../build/freshness.ts'
import { placeInArchive, tarball, zip } from './archive.ts'
import { bundledPackages } from './bundled.ts'
import { debianName, debianPackage, hasDpkgDeb } from './debian.ts'
import { type FetchedNode, fetchNode } from './fetch-node.ts'
import { LICENCES_FILE, withNode } from './licences.ts'
import { npm } from './npm.ts'
import { PLATFORMS, type Platform } from './platforms.ts'
import { prepare } from './prepare.ts'
import { billOfMaterials, type Release } from './sbom.ts'
import { type ArchivedFile, untar } from './tar.ts'

// Builds release/: the npm package, an archive with Node for each platform, Debian packages, the bill of materials, and
// the checksums of all these files.

const root = join(import.meta.dirname, '..', '..')
const target = join(root, 'release')
const release = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Release

rmSync(target, { recursive: true, force: true })
mkdirSync(target)

prepare(root)
npm(root, ['pack', '--ignore-scripts', '--pack-destination', target])
const packed = untar(gunzipSync(readFileSync(join(target, `${release.name}-${release.version}.tgz`))))
const canMakeDebian = hasDpkgDeb()
for (const platform of PLATFORMS) {
  const name = `${release.name}-${release.version}-${platform.name}`
  const inside = contents(platform, fetchNode(root, platform))
  const files = inside.map((file) => ({ ...file, path: `${name}/${file.path}` }))
  write(`${name}.${platform.isWindows ? 'zip' : 'tar.gz'}`, platform.isWindows ? zip(files) : tarball(files))
  if (platform.debian === null) continue
  const debian = debianName(release.version, platform.debian)
  if (canMakeDebian) write(debian, debianPackage(release.version, platform.debian, inside))
  else process.stderr.write(`skipped release/${debian}: dpkg-deb is not installed\n`)
}
const metafiles = JSON.parse(readFileSync(bundledFile(root), 'utf8')) as Metafile[]
write(`${release.name}.cdx.json`, billOfMaterials(release, bundledPackages(root, metafiles)))
const sums = readdirSync(target)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(target, name)))
        .digest('hex')}  ${name}\n`,
  )
write('SHA256SUMS', sums.join(''))

/** Returns the contents of a platform's archive: the files from the npm package, Node, and a launcher. */
function contents({ node, isWindows }: Platform, { bytes, licence }: FetchedNode): ArchivedFile[] {
  const licences = packed.find(({ path }) => path === `package/dist/${LICENCES_FILE}`)
  if (licences === undefined) throw new Error(`npm did not pack ${LICENCES_FILE}`)
  const text = withNode(Buffer.from(licences.bytes).toString('utf8'), node.version, licence)
  const files = packed.filter((file) => file !== licences)
  return [
    launcher(isWindows),
    { path: isWindows ? 'lib/node.exe' : 'lib/node', bytes, isExecutable: true },
    { path: LICENCES_FILE, bytes: Buffer.from(text), isExecutable: false },
    ...files.map((file) => ({ ...file, path: placeInArchive(file.path.slice('package/'.length)) })),
  ]
}

function launcher(isWindows: boolean): ArchivedFile {
  const name = isWindows ? 'partner.cmd' : 'partner'
  const text = readFileSync(join(root, 'packaging', 'launcher', name), 'utf8').replaceAll('\r\n', '\n')
  // The Windows command processor needs CRLF line endings.
  return {
    path: `bin/${name}`,
    bytes: Buffer.from(isWindows ? text.replaceAll('\n', '\r\n') : text),
    isExecutable: true,
  }
}

function write(name: string, content: Uint8Array | string): void {
  writeFileSync(join(target, name), content)
  const mib = Buffer.byteLength(content) / 2 ** 20
  process.stderr.write(`release/${name}${mib < 1 ? '' : `, ${Math.round(mib)} MiB`}\n`)
}
