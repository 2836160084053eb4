import { expect, test } from 'vitest'
import { checkNames } from '../../../src/features/tables/check.ts'
import { tableNameList } from '../../../src/features/tables/views.ts'
import { table } from '../shown.ts'

const NAMES = ['T1', 'T2', 'B2', 'شرفة 3', '🌿 4']
const TABLES = NAMES.map((name) => ({ name, tableId: `id-${name}`, section: 'Main Dining' }))
const TWINS = ['Bar', 'Terrace'].map((section) => ({ name: '9', tableId: section, section }))
const names = new Map([
  ['T1', [2, 3, 4, 5]],
  ['t02', [6]],
  ['Table 2', [7]],
  ['شرفة  3', [8]],
  ['🌿\ufe0f 4', [9]],
  ['T1+T2', [10]],
  ['9', [11]],
  ['Patio', [12]],
])
const ROWS = checkNames({ names, isSales: false }, [...TABLES, ...TWINS])

test('tables check prints names, differences and advice at 80 and at 140 columns', async () => {
  expect(await table(ROWS, tableNameList, { columns: 80 })).toMatchInlineSnapshot(`
    [
      "POS      SERVICE                  SECTION     DIFFERENCE   NEXT",
      "T1       T1                       Main Dini…  duplicate    lines 2, 3, 4, 5",
      "                                                           refer to the same",
      "                                                           table: keep one",
      "t02      T2                       Main Dini…  case, zeros  rename it to T2, or",
      "                                                           use the map",
      "Table 2  T2, B2?                              ambiguous    choose T2 or B2 in",
      "                                                           the map",
      "شرفة  3  شرفة 3                   Main Dini…  spaces       rename it to شرفة 3,",
      "                                                           or use the map",
      "🌿️ 4     🌿 4                     Main Dini…  unicode      rename it to 🌿 4, or",
      "                                                           use the map",
      "T1+T2    T1                       Main Dini…  joined       the map uses T1, the",
      "                                                           first of T1 and T2",
      "9        9 in Bar, 9 in Terrace?              ambiguous    the service has 2",
      "                                                           tables with this",
      "                                                           name: rename one of",
      "                                                           them",
      "Patio                                         missing      add this table to the",
      "                                                           service, or enter a",
      "                                                           different table in",
      "                                                           the map",
    ]
  `)
  expect(await table(ROWS, tableNameList, { columns: 140 })).toMatchInlineSnapshot(`
    [
      "POS      SERVICE                  SECTION      DIFFERENCE   LINES        NEXT",
      "T1       T1                       Main Dining  duplicate    2, 3, … (4)  lines 2, 3, 4, 5 refer to the same table: keep one",
      "t02      T2                       Main Dining  case, zeros  6            rename it to T2, or use the map",
      "Table 2  T2, B2?                               ambiguous    7            choose T2 or B2 in the map",
      "شرفة  3  شرفة 3                   Main Dining  spaces       8            rename it to شرفة 3, or use the map",
      "🌿️ 4     🌿 4                     Main Dining  unicode      9            rename it to 🌿 4, or use the map",
      "T1+T2    T1                       Main Dining  joined       10           the map uses T1, the first of T1 and T2",
      "9        9 in Bar, 9 in Terrace?               ambiguous    11           the service has 2 tables with this name: rename one of them",
      "Patio                                          missing      12           add this table to the service, or enter a different table in the",
      "                                                                         map",
    ]
  `)
})
