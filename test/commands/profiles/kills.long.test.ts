import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { SEED } from '../../money/seeds.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { type Blow, HOWS, NO_BLOW, runUntilStep } from '../../support/step-killer.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)

function add(name: string): string[] {
  return ['profiles', 'add', name, '--base-url', 'https://api.example.com', '--api-key', 'env:LIVE_KEY']
}

test('after profiles add is killed, all profiles are readable, and the next change is not blocked', {
  timeout: 120_000 + KILLS * 20_000,
}, async ({ annotate }) => {
  const random = chance(SEED)
  let kills = 0
  const withFirst = async () => {
    const env = freshHome()
    expect(await runPartner(add('first'), { env })).toMatchObject({ code: 0 })
    return env
  }
  const { steps } = await runUntilStep(add('second'), await withFirst(), NO_BLOW)
  for (let kill = 0; kill < KILLS; kill++) {
    const env = await withFirst()
    const blow: Blow = { at: random.integer(1, steps), how: random.pick(HOWS) }
    const context = `${blow.how} step ${blow.at} of ${steps}`
    const killed = await runUntilStep(add('second'), env, blow)
    if (killed.code === null) kills++
    const names = async () => {
      const { code, stdout, stderr } = await runPartner('profiles list --json', { env })
      expect(code, `${context}: ${stderr}`).toBe(0)
      const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)
      return names.filter((name) => name !== 'sandbox')
    }
    expect([['first'], ['first', 'second']], context).toContainEqual(await names())
    expect(await runPartner(add('third'), { env }), context).toMatchObject({ code: 0 })
    expect(await names(), context).toEqual(expect.arrayContaining(['first', 'third']))
    expect(readdirSync(env.PARTNER_CONFIG_DIR).sort(), context).toEqual(['profiles.json', 'profiles.json.lock'])
  }
  expect(kills).toBeGreaterThan(KILLS / 2)
  await annotate(`${kills} kills of profiles add`)
})
