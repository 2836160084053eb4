import { expect, test } from 'vitest'
import {
  differenceLines,
  reconciledList,
  statementList,
} from '../../../../src/features/sales/reconcile/printed/views.ts'
import { table } from '../../shown.ts'

const DIFFERENCE = {
  ...{ kind: 'missing' as const, saleId: 'S-1', pos: '1250.00', service: null, difference: '1250.00' },
  ...{ detail: 'line 1; the service does not list it', next: 'submit it with partner sales import FILE' },
}
const HOSTILE = {
  ...{ kind: 'extra' as const, saleId: '\u001b[2J寿司\nS-2', pos: null, service: '0.10', difference: '-0.10' },
  ...{ detail: 'booking \u202eBK-1', next: `look for it: partner timeline sale ${'x'.repeat(60)}` },
}
const SCREEN = { columns: 60, color: false } as const

test('sales reconcile prints aligned columns, with details below each row, even if an ID has control characters', async () => {
  const text = await differenceLines([DIFFERENCE, HOSTILE], SCREEN, false)
  const [header = '', first = ''] = text.split('\n')
  expect(header.indexOf('DIFFERENCE') + 'DIFFERENCE'.length).toBe(first.length)
  expect(text).toContain('\n  line 1; the service does not list it\n  next: submit it with partner sales import FILE\n')
  expect(text).not.toMatch(/[\u001b\u202e]/)
  expect(text.split('\n').every((line) => /^(?:KIND|missing|extra| {2}|$)/.test(line))).toBe(true)
  expect(await differenceLines([DIFFERENCE], SCREEN, true)).not.toContain('KIND')
})

test('sales reconcile prints its statement as a table even on a very narrow terminal', async () => {
  expect((await table([DIFFERENCE, HOSTILE], reconciledList, { columns: 60 })).join('\n')).not.toMatch(/[\u001b\u202e]/)
  const rows = [{ kind: 'day', sales: 1, pos: null, service: null, difference: '0.00' }]
  expect(await table(rows, statementList, { columns: 40 })).toEqual([
    'KIND  SALES  POS  SERVICE  DIFFERENCE',
    'day       1                      0.00',
  ])
})
