import type { BundledPackage } from './bundled.ts'

/** The name of the file with all licences, in the npm package and in every archive. */
export const LICENCES_FILE = 'THIRD-PARTY-LICENSES.txt'

const RULE = '='.repeat(80)

/** Returns the names of the bundled packages, with their authors and licence texts. */
export function licencesText(packages: readonly BundledPackage[]): string {
  const intro = `partner contains parts of these packages. Each is listed with its licence and the address of its source.`
  const list = packages.map(({ id, licence }) => `  ${id} (${licence})`).join('\n')
  return `${[`${intro}\n\n${list}`, ...packages.map(section)].join(`\n\n${RULE}\n`)}\n`
}

/** Returns the licences of the packages together with Node's licence, because archives contain Node. */
export function withNode(licences: string, version: string, text: string): string {
  return `${licences}\n${RULE}\nNode ${version}, with its own dependencies\nSource: https://nodejs.org/dist/v${version}/\n\n${text.trim()}\n`
}

function section({ id, licence, licenceText, source }: BundledPackage): string {
  return `${id} (${licence})\n${source === null ? '' : `Source: ${source}\n`}\n${licenceText}`
}
