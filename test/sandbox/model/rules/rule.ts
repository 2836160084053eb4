import type { EndpointId } from '../../../../src/contract/endpoints.ts'
import type { Rule } from '../expected-response.ts'

export interface EndpointRule {
  readonly method: string
  readonly path: string
  readonly rule: Rule
  /** Whether requests to the endpoint are signed and have no API key. True for inbound endpoints. */
  readonly isSigned: boolean
}

/** Assigns a rule to an endpoint. `line` consists of the method and the path, separated by a space. */
export function defineRule(line: string, rule: Rule): EndpointRule {
  const [method = '', path = ''] = line.split(' ')
  return { method, path, rule, isSigned: path.includes('{partnerName}') }
}

export type Rules = { readonly [Id in EndpointId]: EndpointRule }
