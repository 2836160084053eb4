import { expect, test } from 'vitest'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { hasSameContent } from '../../../src/sync/verifying/copy-index.ts'

const record = (text: string) => toSyncRecord(text, RESOURCES.bookings)

/** Groups of JSON texts. Texts in the same group have the same content, and texts in different groups do not. */
const CONTENTS = [
  [
    '{"a":1,"b":[2]}',
    '{ "b" : [ 2 ] , "a" : 1 }',
    '{"b":[2.0],"a":1.00}',
    '{"a":10e-1,"b":[0.2e1]}',
    '{"\\u0061":1,"b":[2]}',
  ],
  ['{"a":1,"b":[2,0]}', '{"a":1,"b":[2,-0]}', '{"b":[2,0.000],"a":1}', '{"b":[2,-0.0],"a":0,"a":1}'],
  ['{"a":"é"}', '{"a":"\\u00e9"}', '{"a":"\\u00E9"}'],
  ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":"\ufffd"}'],
  ['{"a":"\\"\\/\\n"}', '{"a":"\\"/\\u000a"}'],
  ['{"a\\"":1,"b":2}', '{"b":2.0,"a\\"":1}', '{"b":2e0,"\\u0061\\"":1}'],
  ['{"a":"1.0"}'],
  ['{"a":1.5}', '{"a":15e-1}', '{"a":1.50}'],
  ['{"a":-0.5}', '{"a":-5e-1}'],
  ['{"a":100}', '{"a":1e2}', '{"a":100.0}'],
  ['{"a":null}'],
  ['{}'],
  ['{"a":[[1],2]}'],
  ['{"a":[1,[2]]}'],
  ['{"a":{"b":1},"c":2}'],
  ['{"a":{"b":1,"c":2}}'],
  ['{"a":12345678901234567890.1}', '{"a":12345678901234567890.10}'],
  ['{"a":12345678901234567890.2}'],
]

test('hasSameContent recognizes the same content even if it is formatted differently', () => {
  for (const [row, texts] of CONTENTS.entries())
    for (const one of texts)
      for (const [otherRow, others] of CONTENTS.entries())
        for (const other of others)
          expect(hasSameContent(record(one), record(other)), `${one} ${other}`).toBe(row === otherRow)
})
