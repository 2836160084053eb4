import { expect, test } from 'vitest'
import { screenOf } from '../../../src/terminal/render/screen.ts'

const terminal = { isTTY: true, columns: 100 }
const pipe = {}

test('a terminal has its width and colour', () =>
  expect(screenOf(terminal, { TERM: 'xterm' })).toEqual({ columns: 100, color: true }))

test('a pipe is never cut or coloured, whatever COLUMNS says', () => {
  expect(screenOf(pipe, { COLUMNS: '40', TERM: 'xterm' })).toEqual({ columns: null, color: false })
  expect(screenOf({ isTTY: false, columns: 40 }, {})).toEqual({ columns: null, color: false })
})

test('FORCE_COLOR colours a pipe without cutting it', () =>
  expect(screenOf(pipe, { FORCE_COLOR: '1' })).toEqual({ columns: null, color: true }))

test('NO_COLOR and a dumb terminal take the colour away', () => {
  expect(screenOf(terminal, { NO_COLOR: '1' })).toEqual({ columns: 100, color: false })
  expect(screenOf(terminal, { TERM: 'dumb' }).color).toBe(false)
})

test('FORCE_COLOR wins over NO_COLOR and a dumb terminal, and 0 or false turns colour off', () => {
  expect(screenOf(terminal, { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }).color).toBe(true)
  expect(screenOf(terminal, { FORCE_COLOR: '0' }).color).toBe(false)
  expect(screenOf(terminal, { FORCE_COLOR: 'false' }).color).toBe(false)
})

test('empty variables count as absent', () => {
  expect(screenOf(terminal, { NO_COLOR: '', FORCE_COLOR: '' }).color).toBe(true)
  expect(screenOf(pipe, { FORCE_COLOR: '' }).color).toBe(false)
})

test('a terminal that does not tell its width has that of COLUMNS, else 80', () => {
  expect(screenOf({ isTTY: true, columns: 0 }, { COLUMNS: '132' }).columns).toBe(132)
  expect(screenOf({ isTTY: true }, { COLUMNS: 'wide' }).columns).toBe(80)
})
