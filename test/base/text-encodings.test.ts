import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeUtf8, isUtf16, withoutUtf16 } from '../../src/base/utf8.ts'
import { failureOf } from '../support/failure.ts'

const wide = (text: string) => Buffer.from(text, 'utf16le')
const ascii = fc.string({ unit: fc.constantFrom(...'az09{}[]",:;#- \t\r\n'), minLength: 2 })
const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.startsWith('\ufeff') && !one.includes('\0'))

describe('isUtf16', () => {
  test('isUtf16 recognizes UTF-16 text that starts with a byte order mark or with ASCII characters', () => {
    fc.assert(
      fc.property(text, ascii, (rest, start) => {
        expect(isUtf16(wide(`\ufeff${rest}`))).toBe(true)
        expect(isUtf16(wide(`\ufeff${rest}`).swap16())).toBe(true)
        expect(isUtf16(wide(`${start}${' '.repeat(4)}${rest}`))).toBe(true)
      }),
    )
  })

  test('isUtf16 returns false for any UTF-8 text', () => {
    fc.assert(fc.property(text, (one) => !isUtf16(Buffer.from(one)) && !isUtf16(Buffer.from(`\ufeff${one}`))))
  })
})

describe('decodeUtf8', () => {
  test('decodeUtf8 removes a byte order mark and changes nothing else', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(decodeUtf8(Buffer.from(one), 'x.csv')).toBe(one)
        expect(decodeUtf8(Buffer.from(`\ufeff${one}`), 'x.csv')).toBe(one)
      }),
    )
  })

  test('the error from decodeUtf8 names the first line that is not UTF-8', () => {
    const bytes = Buffer.from('Zürich\nOslo\nMünchen', 'latin1')
    expect(failureOf(() => decodeUtf8(bytes, 'x.csv')).message).toBe('x.csv: line 1 is not UTF-8')
    expect(failureOf(() => decodeUtf8(bytes.subarray(7), 'x.csv')).message).toBe('x.csv: line 2 is not UTF-8')
  })
})

describe('withoutUtf16', () => {
  async function* inChunks(bytes: Uint8Array, size: number) {
    for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
  }
  const collect = async (bytes: Uint8Array, size: number) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of withoutUtf16(inChunks(bytes, size), 'x')) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  }

  test('withoutUtf16 yields UTF-8 chunks unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (one, size) => {
        expect(await collect(Buffer.from(one), size)).toBe(one)
      }),
    )
  })

  test.each([1, 2, 3, 7, 100])('withoutUtf16 recognizes UTF-16 in chunks of %i bytes', async (size) => {
    const says = "x is UTF-16, as PowerShell's > writes it"
    await expect(collect(wide('\ufeff{}'), size)).rejects.toThrow(says)
    await expect(collect(wide('{"a":1}\n'), size)).rejects.toThrow(says)
    await expect(collect(wide('{}'), size)).rejects.toThrow(says)
  })
})
