import * as z from 'zod'
import { scheduleDay, service } from '../../src/contract/bookings/availability.ts'
import {
  booking,
  bookingTable,
  extraOrderItem,
  orderItem,
  paymentSummary,
  tag,
} from '../../src/contract/bookings/booking.ts'
import { bookingReceipt } from '../../src/contract/bookings/changes.ts'
import { reservationRequest, reservationResponse } from '../../src/contract/bookings/reservations.ts'
import { bookingStatus } from '../../src/contract/bookings/statuses.ts'
import { address, customer, customerRecord, customerTag } from '../../src/contract/customers.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { giftCard, redeemRequest, redeemResult } from '../../src/contract/giftcards.ts'
import { price, saleDetail, saleRecord, saleRequest } from '../../src/contract/sales.ts'
import { problemDetails } from '../../src/contract/shapes/problem.ts'
import type { Schema } from '../../src/contract/shapes/schema.ts'
import { subscription, subscriptionResult } from '../../src/contract/webhooks.ts'
import { numberOf } from './numbers.ts'
import { type JsonSchema, stated } from './stated.ts'

/** The schemas that have a name in the OpenAPI document. All other schemas are written inline. */
const NAMED: Readonly<Record<string, Schema>> = {
  Address: address,
  Booking: booking,
  BookingReceipt: bookingReceipt,
  BookingStatus: bookingStatus,
  BookingTable: bookingTable,
  Customer: customer,
  CustomerRecord: customerRecord,
  CustomerTag: customerTag,
  ExtraOrderItem: extraOrderItem,
  GiftCard: giftCard,
  OrderItem: orderItem,
  PaymentSummary: paymentSummary,
  Price: price,
  ProblemDetails: problemDetails,
  RedeemRequest: redeemRequest,
  RedeemResult: redeemResult,
  ReservationRequest: reservationRequest,
  ReservationResponse: reservationResponse,
  SaleDetail: saleDetail,
  SaleRecord: saleRecord,
  SaleRequest: saleRequest,
  ScheduleDay: scheduleDay,
  Service: service,
  Subscription: subscription,
  SubscriptionResult: subscriptionResult,
  Tag: tag,
}

/** The request and response schemas of an endpoint. They refer to the named schemas. */
export interface EndpointSchemas {
  readonly query: JsonSchema | null
  readonly body: JsonSchema | null
  /** The schemas of the endpoint's responses, by status. */
  readonly responses: Readonly<Record<string, JsonSchema>>
}

/** The contract's JSON Schemas. */
export interface ContractSchemas {
  /** The schemas that have a name in the OpenAPI document. */
  readonly named: Readonly<Record<string, JsonSchema>>
  /** The schemas of each endpoint, by the endpoint's ID. */
  readonly endpoints: Readonly<Record<string, EndpointSchemas>>
}

const REFERENCE = '#/components/schemas/'

/** Converts every schema in the contract to JSON Schema. */
export function readSchemas(): ContractSchemas {
  const registry = z.registry<{ id: string }>()
  const names = new Map<z.ZodType, string>()
  const add = (name: string, schema: Schema) => {
    const built = schema(z)
    if (names.has(built)) return
    names.set(built, name)
    registry.add(built, { id: name })
  }
  for (const [name, schema] of Object.entries(NAMED)) add(name, schema)
  // Register the endpoints' schemas, so that they can refer to the named schemas. They do not get names themselves.
  for (const [place, schema] of ofEndpoints()) if (!isAnything(schema)) add(place, schema)
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (name) => `${REFERENCE}${name}`,
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, numberOf(zodSchema)),
  })
  const all = new Map(Object.entries(schemas).map(([name, schema]) => [name, withTime(stated(schema as JsonSchema))]))
  const schemaOf = (schema: Schema): JsonSchema => {
    const name = names.get(schema(z))
    if (name === undefined) return {}
    return name in NAMED ? { $ref: `${REFERENCE}${name}` } : (all.get(name) ?? {})
  }
  const endpoints = Object.entries<Endpoint>(ENDPOINTS).map(([id, { query, body, responses }]) => {
    const answers = Object.entries<Schema>(responses).map(([status, schema]) => [status, schemaOf(schema)])
    return [
      id,
      {
        query: query ? schemaOf(query) : null,
        body: body ? schemaOf(body) : null,
        responses: Object.fromEntries(answers),
      },
    ]
  })
  return {
    named: Object.fromEntries(Object.keys(NAMED).map((name) => [name, all.get(name) ?? {}])),
    endpoints: Object.fromEntries(endpoints),
  }
}

function ofEndpoints(): [place: string, schema: Schema][] {
  return Object.values<Endpoint>(ENDPOINTS).flatMap(({ id, query, body, responses }) => [
    ...(query ? [[`${id} query`, query] as [string, Schema]] : []),
    ...(body ? [[`${id} body`, body] as [string, Schema]] : []),
    ...Object.entries(responses).map(([status, schema]): [string, Schema] => [`${id} ${status}`, schema]),
  ])
}

function isAnything(schema: Schema): boolean {
  return schema(z).def.type === 'unknown'
}

/**
 * Requires a reservation to have at least one of its two time members. In zod, a function checks this, so the JSON
 * Schema lacks the rule. Source: "POST /Reservations".
 */
function withTime(schema: JsonSchema): JsonSchema {
  const { time, bookingTimeAsUtc } = (schema['properties'] ?? {}) as JsonSchema
  if (!time || !bookingTimeAsUtc) return schema
  return { ...schema, anyOf: [{ required: ['bookingTimeAsUtc'] }, { required: ['time'] }] }
}
