/** The bytes that a written signature may mean, and how it differs from lowercase hexadecimal. */
export interface WrittenForm {
  readonly digest: Buffer
  /** Each as the end of the sentence "it would be right, but …". */
  readonly mistakes: readonly string[]
}

/** Lists the ways to read a signature; none when no hash could have made it. */
export function readWrittenForms(given: string): WrittenForm[] {
  const mistakes: string[] = []
  let rest = given.trim()
  if (rest !== given) mistakes.push('there is white space around it')
  const prefix = /^(?:0x|[\w-]{1,40}[=:] ?)(?=.{16})/i.exec(rest)?.[0]
  if (prefix !== undefined) {
    mistakes.push(`it has ${JSON.stringify(prefix)} before it`)
    rest = rest.slice(prefix.length)
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(rest)) {
    const upper = rest === rest.toLowerCase() ? [] : ['it is written in upper case']
    return [{ digest: Buffer.from(rest, 'hex'), mistakes: [...mistakes, ...upper] }]
  }
  if (!/^[\w+/-]+={0,2}$/.test(rest)) return []
  const digest = Buffer.from(rest, 'base64')
  const hex = digest.toString('latin1')
  const forms = [{ digest, mistakes: [...mistakes, 'it is written in base64 in place of hexadecimal'] }]
  if (/^(?:[0-9a-f]{2})+$/.test(hex)) {
    forms.push({
      digest: Buffer.from(hex, 'hex'),
      mistakes: [...mistakes, 'its hexadecimal digits are written in base64'],
    })
  }
  return forms
}
