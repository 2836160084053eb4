import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../scripts/openapi/document.ts'
import type { OpenApi } from '../../../scripts/openapi/openapi.ts'
import type { DocumentedFailure, Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { WEBHOOK_EVENTS } from '../../../src/contract/events.ts'
import { COMMON_FAILURES } from '../../../src/contract/failures.ts'

const document = openApiDocument() as unknown as OpenApi
const text = JSON.stringify(document)

const ROWS = Object.values<Endpoint>(ENDPOINTS).map((endpoint) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
  operation: document.paths[endpoint.path]?.[endpoint.method.toLowerCase()],
}))

describe('validity of the OpenAPI document', () => {
  test("the OpenAPI document passes Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('the OpenAPI document is valid according to the JSON Schema that OpenAPI publishes', async () =>
    expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true }))

  test('Redocly and the schema validator both reject an invalid OpenAPI document', async () => {
    const wrong = { ...document, paths: { '/x': { get: { responses: { 200: {} }, parameters: [{ in: 'nowhere' }] } } } }
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(wrong)
    expect((await lintFromString({ source, absoluteRef: '/openapi.json', config })).length).toBeGreaterThan(0)
    expect(await new Validator().validate(JSON.parse(source))).toMatchObject({ valid: false })
  })
})

describe.each(ROWS)('the $name operation in the OpenAPI document', ({ name, endpoint, operation }) => {
  test(`the OpenAPI document describes ${name}`, () => {
    expect(operation).toMatchObject({ operationId: endpoint.id, 'x-writes': endpoint.write })
    expect(operation?.security).toEqual([endpoint.auth === 'signature' ? { signature: [] } : { apiKey: [] }])
    expect(operation?.['x-assumed']).toBe(endpoint.standing === 'assumed' ? true : undefined)
    expect(operation?.requestBody?.required).toBe(endpoint.body ? true : undefined)
    for (const status of Object.keys(endpoint.responses)) expect(operation?.responses).toHaveProperty([status])
  })

  test(`the OpenAPI document lists the messages of ${name} by status and marks those that are assumed`, () => {
    const common: readonly DocumentedFailure[] =
      endpoint.auth === 'api-key' ? Object.values(COMMON_FAILURES) : [COMMON_FAILURES.rateLimited]
    for (const { status, message, standing } of [...common, ...Object.values(endpoint.failures)]) {
      const example = Object.values(operation?.responses[status]?.content ?? {})
        .flatMap(({ examples = {} }) => Object.values(examples))
        .find((one) => one.summary === message)
      expect(example, message).toBeDefined()
      expect(JSON.stringify(example?.value)).toContain(JSON.stringify(message))
      expect(example?.['x-assumed'], message).toBe(standing === 'assumed' ? true : undefined)
    }
  })

  test(`the OpenAPI document lists the path parameters of ${name}`, () => {
    const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    const inPath = (operation?.parameters ?? []).filter((one) => one.in === 'path')
    expect(inPath.map((parameter) => parameter.name)).toEqual(named)
    expect(inPath.every(({ required }) => required)).toBe(true)
  })
})

test('the OpenAPI document contains exactly the operations in the contract', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(ENDPOINTS).sort())
  expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENTS])
})

test('the OpenAPI document describes cents as integers and amounts as numbers, with their units', () => {
  const { schemas } = document.components
  const member = (schema: string, name: string) => schemas[schema]?.properties?.[name]
  const cents = { type: 'integer', description: expect.stringMatching(/cents/) }
  expect(member('Price', 'amount')).toMatchObject(cents)
  for (const amount of [
    member('GiftCard', 'amount'),
    member('RedeemRequest', 'amount'),
    member('PaymentSummary', 'amountDue'),
  ])
    expect(amount).toMatchObject({ type: 'number', description: expect.stringMatching(/currency units/) })
  expect(member('SaleDetail', 'tax')).toMatchObject({ type: ['number', 'null'] })
})

test('the OpenAPI document marks a schema as documented only if a documented operation uses it', () => {
  const standing = (name: string) => document.components.schemas[name]?.['x-assumed'] === true
  for (const name of ['Booking', 'Customer', 'GiftCard', 'ReservationResponse', 'Message'])
    expect(standing(name)).toBe(false)
  for (const name of ['SaleRequest', 'Price', 'CustomerRecord', 'Service', 'Subscription'])
    expect(standing(name)).toBe(true)
})

test('the OpenAPI document requires exactly those members that are never null', () => {
  const { required = [], properties = {} } = document.components.schemas['Booking'] ?? {}
  expect(required).toEqual(expect.arrayContaining(['people', 'duration', 'tables']))
  expect(required).not.toContain('notes')
  expect(properties['notes']?.type).toEqual(['string', 'null'])
  const { ReservationRequest } = document.components.schemas
  expect(ReservationRequest?.required).toEqual(['numOfPeople', 'serviceId', 'sectionId', 'customer'])
})
