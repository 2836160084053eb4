import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { openRuler } from '../../../../src/terminal/render/text/width.ts'

const ruler = await openRuler(['寿司'])

describe('openRuler', () => {
  test('a ruler measures text in terminal columns instead of characters', () => {
    expect(ruler.width('abc')).toBe(3)
    expect(ruler.width('Zoë')).toBe(3)
    expect(ruler.width('李小龍')).toBe(6)
    expect(ruler.width('👩‍👩‍👧‍👦')).toBe(2)
    expect(ruler.width('🇦🇺')).toBe(2)
    expect(ruler.width('e\u0301')).toBe(1)
  })

  test('a ruler without string-width returns the same widths as string-width', async () => {
    for (const [first, last] of [
      [0x20, 0x20ff],
      [0x1_f000, 0x1_fbff],
    ] as const)
      for (let code = first; code <= last; code++) {
        const text = String.fromCodePoint(code)
        const opened = await openRuler([text])
        expect(opened.width(text), `U+${code.toString(16)}`).toBe(stringWidth(text))
        expect(opened.width(`a${text}b`), `U+${code.toString(16)}`).toBe(stringWidth(`a${text}b`))
      }
  })

  test('a ruler measures simple emoji without string-width and never splits them', async () => {
    const simple = await openRuler(['🍮'])
    expect(simple).not.toBe(ruler)
    expect(await openRuler(['👍🏽'])).toBe(ruler)
    expect(await openRuler(['❤️'])).toBe(ruler)
    expect(simple.truncate('a🍮🍷b', 4)).toBe('a🍮…')
    expect(simple.wrap('🍮🍷🍣🍮', 5)).toEqual(['🍮🍷', '🍣🍮'])
  })

  test('truncate ends long text with an ellipsis and never splits a grapheme', () => {
    expect(ruler.truncate('Featherstonehaugh', 8)).toBe('Feather…')
    expect(ruler.truncate('fits', 4)).toBe('fits')
    expect(ruler.truncate('ab 👩‍👩‍👧‍👦 cd', 5)).toBe('ab…')
    expect(ruler.truncate('ab👩‍👩‍👧‍👦cd', 5)).toBe('ab👩‍👩‍👧‍👦…')
    expect(ruler.truncate('李小龍', 4)).toBe('李…')
    expect(ruler.truncate('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
    expect(ruler.truncate('anything', 0)).toBe('')
  })

  test('truncated text is never wider than requested', () => {
    const text = 'a李👩‍👩‍👧e\u0301🇦🇺 ×2 ﷽ ก็'
    for (let columns = 0; columns < 20; columns++)
      expect(ruler.width(ruler.truncate(text, columns))).toBeLessThanOrEqual(columns)
  })

  test('wrap breaks text at spaces and breaks words only if necessary', () => {
    expect(ruler.wrap('a birthday cake with candles', 12)).toEqual(['a birthday', 'cake with', 'candles'])
    expect(ruler.wrap('x'.repeat(25), 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
    expect(ruler.wrap('李小龍李小龍', 5)).toEqual(['李小', '龍李', '小龍'])
    expect(ruler.wrap('', 10)).toEqual([''])
  })

  test('wrap removes spaces only where it breaks text', () => {
    const text = 'Allergic to 🦐 shellfish, 👩‍👩‍👧‍👦 family; Donaudampfschifffahrtsgesellschaftskapitän'
    for (let columns = 2; columns < 60; columns++) {
      const lines = ruler.wrap(text, columns)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      for (const line of lines) expect(ruler.width(line)).toBeLessThanOrEqual(columns)
    }
  })
})
