import { count, instant, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** What was seen, in its order. */
const evidence = own((z) => ({
  at: instant(z),
  kind: z.enum(['step', 'request', 'delivery', 'change', 'finding']),
  text: z.string(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.int().nullable().optional(),
}))

/** A signed result. */
export const certified = own((z) => ({
  version: z.literal(1),
  name: textOrNull(z),
  madeAt: instant(z),
  madeBy: z.string(),
  items: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      evidence: z.array(evidence(z)),
      mend: z.string(),
    }),
  ),
  journal: z.looseObject({ hash: z.string(), entries: count(z) }),
  signature: z.looseObject({ algorithm: z.literal('Ed25519'), publicKey: z.string(), value: z.string() }),
}))

/** An item that there is. */
export const knownItem = own((z) => ({ id: z.string(), name: z.string(), mend: z.string() }))

/** What a check of a signed result found. */
export const verified = own((z) => ({
  valid: z.literal(true),
  file: z.string(),
  publicKey: z.string(),
  isKnownKey: z.boolean(),
  madeAt: textOrNull(z),
  name: textOrNull(z),
  passed: count(z),
  failed: count(z),
}))
