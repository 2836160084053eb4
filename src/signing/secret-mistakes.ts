import type { Change } from './variant.ts'

/** A secret that might have been used by mistake. */
export interface OtherSecret {
  /** A description of the secret, such as `the signing secret of profile prod`. */
  readonly name: string
  readonly secret: string
  readonly instead: string
}

/** Returns the common mistakes with a secret. Their descriptions contain no part of the secret. */
export function listSecretChanges(others: readonly OtherSecret[]): Change[] {
  const used = (how: string, instead: string, apply: Change['apply']): Change => ({
    what: `the secret was used ${how}`,
    instead,
    apply,
  })
  const added = (how: string, what: string, apply: Change['apply']) =>
    used(`with ${how}`, `use the secret without ${what}, which is not part of it`, apply)
  const lost = (what: string, apply: Change['apply']) =>
    used(`without ${what}`, `use the secret with ${what}, or remove it from the stored secret`, apply)
  const decoded = (from: string, apply: Change['apply']) =>
    used(`decoded from ${from}`, `use the secret itself as the key, without decoding it from ${from}`, apply)
  const encoded = (as: BufferEncoding & ('hex' | 'base64'), name: string) =>
    used(`encoded as ${name}`, `use the secret itself as the key, without encoding it as ${name}`, (secret) =>
      Buffer.from(secret, 'latin1').toString(as),
    )
  const lineBreak = 'the trailing line break'
  return [
    added('a trailing line break', lineBreak, (secret) => `${secret}\n`),
    added('a trailing line break (CR LF)', lineBreak, (secret) => `${secret}\r\n`),
    added('a trailing space', 'the trailing space', (secret) => `${secret} `),
    added('a leading space', 'the leading space', (secret) => ` ${secret}`),
    added('spaces around it', 'the spaces around it', (secret) => ` ${secret} `),
    added('double quotes around it', 'the quotes around it', (secret) => `"${secret}"`),
    added('single quotes around it', 'the quotes around it', (secret) => `'${secret}'`),
    lost('the surrounding whitespace', (secret) => secret.replace(/^[\t\n\r ]+/, '').replace(/[\t\n\r ]+$/, '')),
    lost('the whitespace in it', (secret) => secret.replace(/[\t\n\r ]+/g, '')),
    lost('the surrounding quotes', (secret) => secret.replace(/^(["'])(.*)\1$/s, '$2')),
    decoded('hexadecimal', (secret) =>
      /^(?:[\da-f]{2})+$/i.test(secret.trim()) ? Buffer.from(secret.trim(), 'hex').toString('latin1') : null,
    ),
    decoded('base64', (secret) =>
      /^[\w+/-]+={0,2}$/.test(secret.trim()) ? Buffer.from(secret.trim(), 'base64').toString('latin1') : null,
    ),
    encoded('hex', 'hexadecimal'),
    encoded('base64', 'base64'),
    ...others.map(({ name, secret, instead }): Change => {
      const bytes = Buffer.from(secret).toString('latin1')
      return { what: `${name} was used`, instead, apply: () => bytes }
    }),
  ]
}
