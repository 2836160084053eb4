import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { freshDirectory } from './partner.ts'

/** The PEM files that contain a certificate and its key. */
export interface CertificateFiles {
  readonly keyFile: string
  readonly certificateFile: string
}

/** The names and the validity period of a certificate. */
export interface CertificateContents {
  /** Host names and IPv4 addresses, such as `service.test` and `127.0.0.1`. */
  readonly names: readonly string[]
  /** The start of the validity period, in days from now. Negative if it is in the past. */
  readonly fromDays?: number
  /** The end of the validity period, in days from now. Negative if it is in the past. */
  readonly toDays?: number
}

export interface Authority {
  /** The PEM file that contains the authority's own certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string
  issue(stated: CertificateContents): CertificateFiles
}

const DAY_MS = 86_400_000

/** Creates a certificate authority that no program trusts yet. */
export function createAuthority(): Authority {
  const pair = keyPair()
  const issuer = { name: encodeName('Partner Test Authority'), key: pair.privateKey }
  const own = encodeCertificate({
    subject: issuer.name,
    publicKey: pair.publicKey,
    issuer,
    isAuthority: true,
    names: [],
  })
  return {
    certificateFile: writeFile('authority.pem', encodePem('CERTIFICATE', own)),
    issue: (stated) => issueCertificate(stated, issuer),
  }
}

/** Creates a self-signed certificate. */
export const createSelfSigned = (stated: CertificateContents): CertificateFiles => issueCertificate(stated, null)

interface Issuer {
  readonly name: Buffer
  readonly key: KeyObject
}

function issueCertificate(stated: CertificateContents, issuer: Issuer | null): CertificateFiles {
  const { publicKey, privateKey } = keyPair()
  const subject = encodeName(stated.names[0] ?? 'nobody')
  const by = issuer ?? { name: subject, key: privateKey }
  const bytes = encodeCertificate({ ...stated, subject, publicKey, issuer: by, isAuthority: false })
  return {
    keyFile: writeFile('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    certificateFile: writeFile('certificate.pem', encodePem('CERTIFICATE', bytes)),
  }
}

interface Parts extends CertificateContents {
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly issuer: Issuer
  readonly isAuthority: boolean
}

/** Source: RFC 5280, section 4.1. */
function encodeCertificate({
  subject,
  publicKey,
  issuer,
  isAuthority,
  names,
  fromDays = -1,
  toDays = 365,
}: Parts): Buffer {
  const alternatives = names.map((name) =>
    isIP(name) === 4 ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  )
  const extensions = [
    extension('551d13', sequence(isAuthority ? tagged(0x01, Buffer.from([0xff])) : Buffer.alloc(0))),
    ...(alternatives.length > 0 ? [extension('551d11', sequence(...alternatives))] : []),
  ]
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    issuer.name,
    sequence(encodeTime(fromDays), encodeTime(toDays)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  return sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, issuer.key)))
}

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, Buffer.concat(parts))
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const bitString = (bytes: Buffer) => tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const extension = (id: string, value: Buffer) => sequence(objectId(id), tagged(0x04, value))

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))

/** Encodes a distinguished name that consists only of a common name (`CN`). */
function encodeName(common: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(common)))))
}

function encodeTime(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '')
  return tagged(0x18, Buffer.from(text))
}

function encodePem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

function writeFile(name: string, text: string): string {
  const path = join(freshDirectory(), name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}
