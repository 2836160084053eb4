import { describe, expect, test } from 'vitest'
import { fitsOneRow, labelledLines, quotedLines } from '../../../../src/terminal/render/text/message-lines.ts'

const screen = (columns: number | null) => ({ columns, color: false })

describe('quoted text', () => {
  test('quoted text has a bar before each line, with any kind of line ending', async () =>
    expect(await quotedLines(['a\nb\r\nc\rd', 'e'], screen(null))).toEqual([
      '  │ a',
      '  │ b',
      '  │ c',
      '  │ d',
      '  │ e',
    ]))

  test('quoted text wraps at the edge of the screen, even if it has wide characters', async () => {
    expect(await quotedLines(['one two three four five'], screen(20))).toEqual(['  │ one two three', '  │ four five'])
    expect(await quotedLines(['表'.repeat(10)], screen(20))).toEqual([`  │ ${'表'.repeat(8)}`, `  │ ${'表'.repeat(2)}`])
    expect(await quotedLines(['x'.repeat(40)], screen(3))).toEqual(
      ['x'.repeat(16), 'x'.repeat(16), 'x'.repeat(8)].map((row) => `  │ ${row}`),
    )
  })

  test('quoted text has a dimmed bar if the terminal supports colours', async () =>
    expect(await quotedLines(['a'], { columns: 80, color: true })).toEqual(['  \u001b[2m│\u001b[22m a']))

  test('quoted text is truncated after 1,000 characters or 20 lines, and a note states how much was omitted', async () => {
    expect(await quotedLines(['x'.repeat(1000)], screen(null))).toEqual([`  │ ${'x'.repeat(1000)}`])
    expect((await quotedLines(['x'.repeat(1001)], screen(null)))[1]).toBe(
      '  … 1 more character; --json shows the full text',
    )
    const many = await quotedLines(['a\n'.repeat(30)], screen(null))
    expect([many.length, many[20]]).toEqual([21, '  … 20 more characters; --json shows the full text'])
  })

  test('quoted text is never truncated in the middle of a character', async () => {
    const [first = ''] = await quotedLines([`${'x'.repeat(999)}😀😀`], screen(null))
    expect(first).toBe(`  │ ${'x'.repeat(999)}`)
  })
})

describe('labelledLines', () => {
  const report = (text: string, columns: number | null) => labelledLines('error:', 'error:', text, screen(columns))

  test('labelledLines escapes line breaks and control characters in quoted text', async () =>
    expect(await report('it said: a\nnext: b\r\n\u001b[2J', null)).toEqual([
      'error: it said: a\\nnext: b\\r\\n\\u001b[2J',
    ]))

  test('labelledLines indents all rows after the first, so that quoted text cannot imitate a label', async () => {
    const told = await report('it said that the card is gone', 24)
    expect(told).toEqual(['error: it said that the', '       card is gone'])
    const rows = await report(`x${' '.repeat(16)}next: y`, 24)
    for (const row of rows.slice(1)) expect(row).toMatch(/^ {7}/)
  })

  test('labelledLines truncates long text and states how much was omitted', async () => {
    const [line = ''] = await report('x'.repeat(5000), null)
    expect(line).toBe(`error: ${'x'.repeat(1000)}… (4000 more characters; --json shows the full text)`)
  })

  test.each([
    ['x'.repeat(73), 80, true],
    ['x'.repeat(74), 80, false],
    ['表'.repeat(37), 80, false],
    ['x'.repeat(293), null, true],
    ['x'.repeat(294), null, false],
    ['a\nb', 80, false],
    ['a\rb', null, false],
  ])('for %j on %s columns, fitsOneRow returns %s', async (text, columns, fits) => {
    expect(await fitsOneRow(text, 7, screen(columns))).toBe(fits)
  })
})
