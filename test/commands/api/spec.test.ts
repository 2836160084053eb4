import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../scripts/openapi/document.ts'
import { freshHome, ROOT, runPartner } from '../../support/partner.ts'
import { expectRefusal } from '../../support/refusal.ts'

const run = (...args: string[]) => runPartner(['api', 'spec', ...args], { env: freshHome() })

test('api spec prints the same OpenAPI document as docs/openapi.json', async () => {
  const { code, stdout, stderr } = await run()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  expect(stdout).toBe(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8'))
})

test('api spec accepts the output flags', async () => {
  expect(JSON.parse((await run('--json')).stdout)).toHaveProperty('openapi', '3.1.0')
  expect((await run('--query', 'info.title', '-r')).stdout).toBe('Partner integration service\n')
  expect((await run('--query', 'webhooks | keys(@)', '-o', 'ndjson')).stdout).toMatch(/^"BOOKING_CREATED"\n/)
  expectRefusal(await run('extra'), { code: 2, says: 'extra' })
})

test('the api spec command does not interfere with api METHOD PATH, wherever the global flags are placed', async () => {
  for (const args of [
    ['api', 'GET', '/Resources/booking-statuses', '-p', 'sandbox'],
    ['api', '-p', 'sandbox', 'GET', '/Resources/booking-statuses'],
    ['-p', 'sandbox', 'api', 'get', '/Resources/booking-statuses'],
  ])
    expect(await runPartner(args, { env: freshHome() })).toMatchObject({ code: 0, stderr: '' })
  expectRefusal(await runPartner(['api', 'specs'], { env: freshHome() }), { code: 2, says: /path/i })
  expect(await runPartner(['api', 'spec', '--help'], { env: freshHome() })).toMatchObject({ code: 0 })
})
