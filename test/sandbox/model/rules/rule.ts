import type { EndpointId } from '../../../../src/contract/endpoints.ts'
import type { Rule } from '../answer.ts'

/** An endpoint, as the specification writes it. */
export interface Ruled {
  readonly method: string
  readonly path: string
  readonly rule: Rule
  /** Inbound endpoints are signed and need no key. */
  readonly isSigned: boolean
}

/** `line`: the method and the path. */
export function on(line: string, rule: Rule): Ruled {
  const [method = '', path = ''] = line.split(' ')
  return { method, path, rule, isSigned: path.includes('{partnerName}') }
}

/** The rule of each endpoint. */
export type Rules = { readonly [Id in EndpointId]: Ruled }
