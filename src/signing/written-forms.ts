import type { Mistake } from './variant.ts'

/** The bytes that a written signature may mean, and how it differs from lowercase hexadecimal. */
export interface WrittenForm {
  readonly digest: Buffer
  readonly mistakes: readonly Mistake[]
}

const AS_HEX = 'write the signature as 64 lowercase hexadecimal digits'

/** Lists the ways to read a signature, the plainest first; none when no hash could have made it. */
export function readWrittenForms(given: string): WrittenForm[] {
  const rest = given.trim()
  const around =
    rest === given ? [] : [{ what: 'there is white space around the signature', instead: `${AS_HEX} alone` }]
  // What looks like a prefix may be the start of base64.
  const prefix = /^(?:0x|[\w-]{1,40}[=:] ?)(?=.{16})/i.exec(rest)?.[0] ?? ''
  const before = { what: `the signature has ${JSON.stringify(prefix)} before it`, instead: `${AS_HEX} alone` }
  return [
    ...readDigits(rest, around),
    ...(prefix === '' ? [] : readDigits(rest.slice(prefix.length), [...around, before])),
  ]
}

function readDigits(text: string, mistakes: readonly Mistake[]): WrittenForm[] {
  const upper = { what: 'the signature is written in upper case', instead: AS_HEX }
  if (HEX.test(text))
    return [
      { digest: Buffer.from(text, 'hex'), mistakes: text === text.toLowerCase() ? mistakes : [...mistakes, upper] },
    ]
  if (!/^[\w+/-]+={0,2}$/.test(text)) return []
  const digest = Buffer.from(text, 'base64')
  const hex = digest.toString('latin1')
  const base64 = (what: string) => ({ what: `the signature is written in ${what}`, instead: AS_HEX })
  if (!HEX.test(hex)) return [{ digest, mistakes: [...mistakes, base64('base64 in place of hexadecimal')] }]
  const twice = [...mistakes, base64('hexadecimal, and that again in base64')]
  return [{ digest: Buffer.from(hex, 'hex'), mistakes: hex === hex.toLowerCase() ? twice : [...twice, upper] }]
}

const HEX = /^(?:[\da-f]{2})+$/i
