import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Prints the Homebrew formula for the archives in release/: node scripts/package/formula.ts ADDRESS-OF-THE-ARCHIVES
// HOMEPAGE

const root = join(import.meta.dirname, '..', '..')

/** Returns a release's Homebrew formula, including the archives' checksums. Fails if an archive has no checksum. */
export function formula(template: string, version: string, sums: string, address: string, homepage: string): string {
  const sumOf = (platform: string) => {
    const sum = sums.split('\n').find((line) => line.endsWith(`  partner-${version}-${platform}.tar.gz`))
    if (sum === undefined) throw new Error(`release/SHA256SUMS has no archive for ${platform}: npm run package`)
    return sum.slice(0, 64)
  }
  return template
    .split('\n')
    .slice(1)
    .join('\n')
    .replaceAll('@VERSION@', version)
    .replaceAll('@ADDRESS@', address)
    .replaceAll('@HOMEPAGE@', homepage)
    .replaceAll(/@SHA256:([\w-]+)@/g, (_, platform: string) => sumOf(platform))
}

if (process.argv[1] === import.meta.filename) {
  const [, , address, homepage] = process.argv
  if (address === undefined || homepage === undefined)
    throw new Error('usage: formula.ts ADDRESS-OF-THE-ARCHIVES HOMEPAGE')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const template = readFileSync(join(root, 'packaging', 'homebrew', 'partner.rb'), 'utf8')
  const sums = readFileSync(join(root, 'release', 'SHA256SUMS'), 'utf8')
  process.stdout.write(formula(template, version, sums, address, homepage))
}
