import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ASSETS, readAsset } from '../../../src/studio/page/assets.ts'
import { buildGridStyle } from '../../../src/studio/page/grid-style.ts'
import { ROOT } from '../../support/partner.ts'

test("the list of assets contains all of the page's files, and the build copies all of them", () => {
  expect(readdirSync(join(ROOT, 'src', 'studio', 'page', 'assets')).toSorted()).toEqual([...ASSETS].toSorted())
  expect(readdirSync(join(ROOT, 'dist', 'assets')).toSorted()).toEqual([...ASSETS].toSorted())
})

test("the page's files load nothing from other origins, and readAsset reads only the page's files", () => {
  for (const name of ASSETS) {
    const text = readAsset(name)?.text.replaceAll('http://www.w3.org/2000/svg', '')
    expect(text, name).not.toMatch(/https?:|@import|url\(|\/\/[a-z]+\./)
  }
  for (const name of ['', 'assets.ts', '../assets.ts', '..%2fassets.ts', 'constructor'])
    expect(readAsset(name)).toBeNull()
  expect(buildGridStyle()).toContain('.c0{grid-column-start:2}')
})
