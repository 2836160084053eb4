import { describe, expect, test } from 'vitest'
import { buildBody, type Members } from '../../../src/terminal/input/body.ts'
import { Problems } from '../../../src/terminal/input/problems.ts'

/** Returns the JSON that would be sent. If there are problems, throws a USAGE failure that lists all of them. */
async function sent(data: string | undefined, set: readonly string[] = [], flags: Members = {}): Promise<string> {
  const problems = new Problems()
  const body = await buildBody({ data, set }, flags, problems)
  problems.throwIfAny()
  return JSON.stringify(body)
}

describe('request bodies', () => {
  test('--data is sent unchanged, with all digits of its numbers', async () => {
    const data = '{"a":1.50,"b":12345678901234567890,"c":{"d":[]}}'
    expect(await sent(data)).toBe(data)
  })

  test('--set parses a value that is valid JSON, and treats any other value as a string', async () => {
    const set = ['n=1', 'f=2.50', 's=plain', 'q="1"', 't=true', 'z=null', 'o={"x":[1]}', 'e=', 'u=a=b']
    const body = '{"n":1,"f":2.50,"s":"plain","q":"1","t":true,"z":null,"o":{"x":[1]},"e":"","u":"a=b"}'
    expect(await sent(undefined, set)).toBe(body)
  })

  test('--set sets nested members and list items', async () =>
    expect(await sent('{"a":{"b":1}}', ['a.c=2', 'l.0=x', 'l.1.k=y'])).toBe('{"a":{"b":1,"c":2},"l":["x",{"k":"y"}]}'))

  test('for each member, flags override --set, which overrides --data', async () => {
    const flags = { notes: 'flag', customer: { phone: '3' } }
    const data = '{"notes":"data","customer":{"firstName":"A","phone":"1"},"x":1}'
    const expected = '{"x":1,"notes":"flag","customer":{"firstName":"A","phone":"3"}}'
    expect(await sent(data, ['notes=set', 'customer.phone=2'], flags)).toBe(expected)
  })

  test('a request body treats __proto__ as an ordinary member', async () => {
    const expected = '{"__proto__":{"a":1},"constructor":{"prototype":{"x":1}}}'
    expect(await sent('{"__proto__":{"a":1}}', ['constructor.prototype.x=1'])).toBe(expected)
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test.each(['=1', 'a', '.a=1', 'a.=1', 'a..b=1', ''])('a malformed setting is refused: --set %j', async (set) => {
    await expect(sent(undefined, [set])).rejects.toThrow('--set must be path=value')
  })

  test.each(['l.2=x', 'l.-1=x', 'l.a=x', 'l.99999999999=x'])(
    '--set %j is refused for a list that has a single item',
    async (set) => {
      await expect(sent('{"l":[0]}', [set])).rejects.toThrow('is not a valid index')
    },
  )

  test('--set refuses a path that is more than 256 levels deep', async () => {
    await expect(sent(undefined, [`${'a.'.repeat(20_000)}a=1`])).rejects.toThrow(/is more than 256 levels deep/)
    expect(await sent(undefined, [`${'a.'.repeat(255)}a=1`])).toHaveLength('{"a":}'.length * 256 + 1)
  })

  test.each(['', '[', '{"a":}', "{'a':1}", 'null', '[]', '1', '"x"'])(
    '--data refuses %j, which is not a JSON object',
    async (data) => {
      await expect(sent(data)).rejects.toThrow(/--data (is not JSON|must be a JSON object)/)
    },
  )
})
