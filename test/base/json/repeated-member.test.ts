import { expect, test } from 'vitest'
import { hasRepeatedMember } from '../../../src/base/json/repeated-member.ts'

test.each([
  '{}',
  '[]',
  'null',
  '"a"',
  '{"a":1,"b":2}',
  '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
  '{"a":"{\\"b\\":1,\\"b\\":2}"}',
  '{"a":"x\\\\","b":"\\"a\\":"}',
  '{"__proto__":1,"constructor":2}',
  '["a","a"]',
])('hasRepeatedMember(%s) is false', (json) => expect(hasRepeatedMember(json)).toBe(false))

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":1}',
  '{ "a" : 1 , "a" : 1 }',
  '{"a":[1,{"b":1,"c":2,"b":3}]}',
  '{"a":{"b":1},"c":"}","a":1}',
  '{"__proto__":1,"__proto__":2}',
])('hasRepeatedMember(%s) is true', (json) => expect(hasRepeatedMember(json)).toBe(true))
