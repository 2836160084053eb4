import type { EndpointId } from '../../../../src/contract/endpoints.ts'
import type { Rule } from '../answer.ts'

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

export type Rules = { readonly [Id in EndpointId]: Ruled }
