import { describe, expect, test } from 'vitest'
import { WireRecord } from '../../../src/base/json/list/wire-record.ts'
import { open, printed, terminal } from './printed.ts'

describe('lists in JSON', () => {
  test("piped JSON is an array that has each record's original bytes on a separate line", async () => {
    const records = ['{"price":25.00, "id" : 9007199254740993}', '{"name":"\\u00e9\u202e"}']
    expect(await printed({ format: 'json' }, records)).toBe(`[\n${records[0]},\n${records[1]}\n]\n`)
  })

  test('JSON for an empty list is an empty array', async () => {
    expect(await printed({ format: 'json' }, [])).toBe('[]\n')
    expect(await printed({ format: 'json', screen: terminal(80) }, [])).toBe('[]\n')
  })

  test('JSON for an incomplete list has complete lines but cannot be parsed', async () => {
    const writer = await open({ format: 'json' })
    const text = (await writer.write(new WireRecord('{"id":1}'))) + (await writer.abort())
    expect(text).toBe('[\n{"id":1}\n')
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(await (await open({ format: 'json' })).abort()).toBe('')
  })

  test('JSON with named columns uses the column paths as member names and keeps all digits of numbers', async () => {
    const text = await printed({ format: 'json', columns: ['a.b', 'none'] }, ['{"a":{"b":1.50},"c":2}'])
    expect(text).toBe('[\n{"a.b":1.50,"none":null}\n]\n')
  })

  test('JSON on a terminal is indented and escaped without changing its value', async () => {
    const record = '{"price":25.00,"name":"a\u202eb\u009b","list":[1]}'
    const text = await printed({ format: 'json', screen: terminal(80) }, [record, record])
    expect(text).toContain('\n    "price": 25.00,\n')
    expect(text).not.toMatch(/[\u202e\u009b]/)
    expect(JSON.parse(text)).toEqual([JSON.parse(record), JSON.parse(record)])
  })
})

describe('lists in NDJSON', () => {
  test('NDJSON has the original bytes of each single-line record on a separate line', async () =>
    expect(await printed({ format: 'ndjson' }, ['{"a": 1.0}', '{"b":"x"}'])).toBe('{"a": 1.0}\n{"b":"x"}\n'))

  test('NDJSON puts a multi-line record on a single line, without changing digits or strings', async () => {
    const record = '{\r\n  "a": 1.50,\n  "b": "two  spaces \\n \\" {",\n  "c": [\n    1e2,\n    -0.0\n  ]\n}'
    const text = await printed({ format: 'ndjson' }, [record])
    expect(text).toBe('{"a":1.50,"b":"two  spaces \\n \\" {","c":[1e2,-0.0]}\n')
  })

  test('NDJSON on a terminal has one escaped line per record', async () => {
    const text = await printed({ format: 'ndjson', screen: terminal(80) }, ['{"name":"\u202e"}'])
    expect(text).toBe('{"name":"\\u202e"}\n')
  })
})
