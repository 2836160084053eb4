/** A file that is in a bundle. */
export interface Packed {
  readonly name: string
  readonly about: string
  readonly bytes: number
}

/** A file that is not, although it was wanted. */
export interface Missing {
  readonly name: string
  readonly about: string
  /** What went wrong, in words. */
  readonly problem: string
}

/** What the README says besides the files. */
export interface ReadmeFacts {
  readonly version: string
  /** When the bundle was made, epoch milliseconds. */
  readonly madeMs: number
  /** `1h`; null: all that there is. */
  readonly last: string | null
}

/** The README of a bundle: what is in it and what is not, and how guests were replaced. */
export function readme(packed: readonly Packed[], missing: readonly Missing[], facts: ReadmeFacts): string {
  const width = Math.max(...[...packed, ...missing].map(({ name }) => name.length))
  const span = facts.last === null ? 'everything that this machine keeps' : `the last ${facts.last}`
  return `${[
    'Support bundle of partner',
    '',
    `Made ${new Date(facts.madeMs).toISOString()} by partner ${facts.version}.`,
    `Operations, deliveries and recorded traffic: ${span}. Operations that are open are here in any case.`,
    '',
    'Inside:',
    ...packed.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    ...(missing.length === 0
      ? []
      : ['', 'Could not be collected:', ...missing.map(({ name, problem }) => `  ${name.padEnd(width)}  ${problem}`)]),
    '',
    'Guests. Names, e-mail addresses, phone numbers, card numbers, companies and addresses are replaced by pseudonyms such as',
    'email-b4k7m2x9q3z1. The same text has the same pseudonym everywhere in this bundle, so that records still fit together. The',
    'key for them was made for this bundle alone and is gone: nobody can turn a pseudonym back, or compare two bundles.',
    'A full name is replaced word by word. IDs of bookings, sales and customers are as the service has them.',
    '',
    'Left out. Text that somebody typed (notes, messages, labels) and every text of a member that is not known are replaced by how',
    'long they were: [dropped: 34 characters]. Cookies and unknown headers go in the same way, credentials become dots.',
    '',
    'Checked. Before this file was written, all of it was searched for secrets in use, e-mail addresses, phone numbers and card',
    'numbers, also in base64 and behind escapes. Nothing was found. Look through it all the same before you send it.',
    '',
    'Reading it. traffic.har opens in the network view of a browser and in: partner drift --har traffic.har. journal.ndjson is a',
    'journal as webhooks listen writes it; what bodyBase64 holds stands in body once more, to be read.',
  ].join('\n')}\n`
}
