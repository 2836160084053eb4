import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Writes the Homebrew formula and the Scoop manifest for the archives in release/: node scripts/package/manifests.ts
// ADDRESS-OF-THE-ARCHIVES HOMEPAGE

const root = join(import.meta.dirname, '..', '..')

/** The templates in packaging/. Each filled template is written to release/ under its own name. */
const TEMPLATES = ['homebrew/partner.rb', 'scoop/partner.json']

/** Fills in a template with the version, addresses and checksums of a release. Fails if an archive has no checksum. */
export function fill(template: string, version: string, sums: string, address: string, homepage: string): string {
  const sumOf = (archive: string) => {
    const sum = sums.split('\n').find((line) => line.endsWith(`  partner-${version}-${archive}`))
    if (sum === undefined) throw new Error(`release/SHA256SUMS has no archive for ${archive}: npm run package`)
    return sum.slice(0, 64)
  }
  return template
    .replace(/^#.*\n/, '')
    .replaceAll('@VERSION@', version)
    .replaceAll('@ADDRESS@', address)
    .replaceAll('@HOMEPAGE@', homepage)
    .replaceAll(/@SHA256:([\w.-]+)@/g, (_, archive: string) => sumOf(archive))
}

if (process.argv[1] === import.meta.filename) {
  const [, , address, homepage] = process.argv
  if (address === undefined || homepage === undefined)
    throw new Error('usage: manifests.ts ADDRESS-OF-THE-ARCHIVES HOMEPAGE')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const sums = readFileSync(join(root, 'release', 'SHA256SUMS'), 'utf8')
  for (const path of TEMPLATES) {
    const name = path.slice(path.indexOf('/') + 1)
    const template = readFileSync(join(root, 'packaging', path), 'utf8')
    writeFileSync(join(root, 'release', name), fill(template, version, sums, address, homepage))
    process.stderr.write(`release/${name}\n`)
  }
}
