import { expect, test } from 'vitest'
import { screenOf } from '../../../src/terminal/render/screen.ts'

const terminal = { isTTY: true, columns: 100 }
const pipe = {}

test("screenOf reports a terminal's width and its support for colours", () =>
  expect(screenOf(terminal, { TERM: 'xterm' })).toEqual({ columns: 100, color: true }))

test('screenOf reports neither a width nor colours for a pipe, even if COLUMNS is set', () => {
  expect(screenOf(pipe, { COLUMNS: '40', TERM: 'xterm' })).toEqual({ columns: null, color: false })
  expect(screenOf({ isTTY: false, columns: 40 }, {})).toEqual({ columns: null, color: false })
})

test('FORCE_COLOR turns colours on for a pipe, but does not give the pipe a width', () =>
  expect(screenOf(pipe, { FORCE_COLOR: '1' })).toEqual({ columns: null, color: true }))

test('NO_COLOR and TERM=dumb turn colours off', () => {
  expect(screenOf(terminal, { NO_COLOR: '1' })).toEqual({ columns: 100, color: false })
  expect(screenOf(terminal, { TERM: 'dumb' }).color).toBe(false)
})

test('FORCE_COLOR overrides NO_COLOR and TERM=dumb, but turns colours off if it is 0 or false', () => {
  expect(screenOf(terminal, { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }).color).toBe(true)
  expect(screenOf(terminal, { FORCE_COLOR: '0' }).color).toBe(false)
  expect(screenOf(terminal, { FORCE_COLOR: 'false' }).color).toBe(false)
})

test('NO_COLOR and FORCE_COLOR have no effect if they are empty', () => {
  expect(screenOf(terminal, { NO_COLOR: '', FORCE_COLOR: '' }).color).toBe(true)
  expect(screenOf(pipe, { FORCE_COLOR: '' }).color).toBe(false)
})

test('if a terminal does not report its width, screenOf uses COLUMNS, or 80 columns by default', () => {
  expect(screenOf({ isTTY: true, columns: 0 }, { COLUMNS: '132' }).columns).toBe(132)
  expect(screenOf({ isTTY: true }, { COLUMNS: 'wide' }).columns).toBe(80)
})
