import { describe, expect, test } from 'vitest'
import { jsonTerminalSafe, terminalSafe, terminalSafeLines } from '../../../../src/terminal/render/text/safe-text.ts'

describe('terminalSafe', () => {
  test('terminalSafe makes an escape sequence visible', () => {
    expect(terminalSafe('\u001b]8;;http://evil\u0007click\u001b[31m')).toBe(
      '\\u001b]8;;http://evil\\u0007click\\u001b[31m',
    )
    expect(terminalSafe('\u009b31mred')).toBe('\\u009b31mred')
  })

  test('terminalSafe puts text on one line by replacing line breaks and tabs with \\r, \\n and \\t', () =>
    expect(terminalSafe('one\r\ntwo\tthree')).toBe('one\\r\\ntwo\\tthree'))

  test('terminalSafe makes every control character visible', () => {
    for (let code = 0; code < 0xa0; code++) {
      if (code >= 0x20 && code < 0x7f) continue
      expect(terminalSafe(`a${String.fromCharCode(code)}b`)).toMatch(/^a\\(?:[nrtbf]|u00[0-9a-f]{2})b$/)
    }
  })

  test('terminalSafe makes characters visible that would otherwise reorder or hide text', () => {
    expect(terminalSafe('a\u202eb\u2066c\u200fd\u061ce')).toBe('a\\u202eb\\u2066c\\u200fd\\u061ce')
    expect(terminalSafe('pay\u200bpal\ufeff\u2060\u00ad')).toBe('pay\\u200bpal\\ufeff\\u2060\\u00ad')
    expect(terminalSafe('\u2028\u2029')).toBe('\\u2028\\u2029')
    expect(terminalSafe('\u{e0041}\u{e007f}')).toBe('\\u{e0041}\\u{e007f}')
    expect(terminalSafe('\ud83d!\udc68')).toBe('\\ud83d!\\udc68')
  })

  test('terminalSafe does not change emoji or names in other scripts', () => {
    const whole = [
      ...['Zoë Nguyễn', '李小龍', 'محمد', '👩‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '❤️', '1️⃣', '🇦🇺', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
      ...['ශ්‍රී ලංකා', 'می‌خواهم', 'क्‍ष', '葛\u{e0100}城'],
    ]
    for (const text of whole) expect(terminalSafe(text)).toBe(text)
  })

  test('terminalSafe makes joiners and variation selectors visible if they have no effect on the text around them', () => {
    expect(terminalSafe('a\u200db')).toBe('a\\u200db')
    expect(terminalSafe('a\u200cb')).toBe('a\\u200cb')
    expect(terminalSafe('👩\u200d')).toBe('👩\\u200d')
    expect(terminalSafe('x\ufe0f')).toBe('x\\ufe0f')
    expect(terminalSafe('❤\ufe0f\ufe0f')).toBe('❤\ufe0f\\ufe0f')
  })

  test('terminalSafeLines splits text into lines and escapes all other control characters', () =>
    expect(terminalSafeLines('one\r\ntwo\u001b\nthree\rfour')).toEqual(['one', 'two\\u001b', 'three', 'four']))
})

describe('jsonTerminalSafe', () => {
  test('jsonTerminalSafe escapes dangerous characters without changing the value', () => {
    const value = { name: 'a\u202e\u009b\u007f\u200b\u{e0041}\u2028', emoji: '👩‍👩‍👧 🏳️‍🌈', 'k\u202e': '\\\u202e' }
    const safe = jsonTerminalSafe(JSON.stringify(value, null, 2))
    expect(JSON.parse(safe)).toEqual(value)
    expect(safe).not.toMatch(/[\u202e\u009b\u007f\u200b\u2028\u{e0041}]/u)
    expect(safe).toContain('\\u202e')
    expect(safe).toContain('👩‍👩‍👧 🏳️‍🌈')
    expect(safe.split('\n')).toHaveLength(5)
  })

  test('jsonTerminalSafe preserves the lines of indented JSON, but removes carriage returns', () =>
    expect(jsonTerminalSafe('{\r\n\t"a": 1\r}')).toBe('{\n\t"a": 1\n}'))
})
