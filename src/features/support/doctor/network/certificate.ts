import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { formatCount } from '../../../../base/counted.ts'
import { DAY_MS } from '../../../../base/time/units.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

/** The result of a TLS handshake. */
export interface Handshake {
  readonly host: string
  readonly certificate: PeerCertificate
  /**
   * The OpenSSL error code of an untrusted certificate chain, such as `CERT_HAS_EXPIRED`, or `null` if the chain is
   * trusted.
   */
  readonly chainError: string | null
  /** The TLS version, such as `TLSv1.3`. */
  readonly protocol: string
}

/** Commands that a row can suggest. None of them changes anything. */
export interface CertificateSteps {
  /** The command that shows the server's certificates. */
  readonly show: string
  /** The command that runs the doctor again with an additional trusted certificate authority. */
  readonly trust: string
  /** The command that shows the configured address. */
  readonly address: string
}

/** The doctor warns if the certificate expires in fewer than this many days. */
const FEW_DAYS = 14

/** Checks a certificate's dates, name and chain. `now` is in milliseconds since 1970. */
export function checkCertificate(name: string, shown: Handshake, steps: CertificateSteps, now: number): Finding {
  const { host, certificate, chainError, protocol } = shown
  const [from, to] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  const today = dayText(now)
  if (to < now)
    return fail(name, `the certificate of ${host} expired on ${dayText(to)} (today is ${today})`, steps.show)
  if (from > now)
    return fail(
      name,
      `the certificate of ${host} is not valid before ${dayText(from)}, and today is ${today}: is this machine's clock correct?`,
      'date -u',
    )
  if (checkServerIdentity(host, certificate) !== undefined)
    return fail(name, `the certificate is for a different name: ${namesText(certificate)}, not ${host}`, steps.address)
  if (chainError !== null)
    return fail(name, chainText(chainError, certificate), chainError.includes('EXPIRED') ? steps.show : steps.trust)
  const days = Math.floor((to - now) / DAY_MS)
  const left = `${formatCount(days, 'day')} left`
  if (days < FEW_DAYS)
    return warn(name, `the certificate of ${host} has ${left}: it expires on ${dayText(to)} (${protocol})`, steps.show)
  return ok(name, `${protocol}, certificate for ${host} from ${issuerText(certificate)}, ${left}`)
}

function chainText(code: string, certificate: PeerCertificate): string {
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return 'the certificate is self-signed, not issued by an authority that this machine trusts (to trust it, set NODE_EXTRA_CA_CERTS)'
  if (code === 'CERT_HAS_EXPIRED') return "a certificate in the service's chain has expired"
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code))
    return `this machine does not know the authority that signed the certificate, ${issuerText(certificate)}, or the server omits a certificate in the chain (to add an authority, set NODE_EXTRA_CA_CERTS)`
  return `the certificate is not trusted: ${code}`
}

function namesText({ subjectaltname, subject }: PeerCertificate): string {
  const names = (subjectaltname ?? '').split(', ').map((one) => one.replace(/^(?:DNS|IP Address):/, ''))
  const shown = names.filter((one) => one !== '').slice(0, 4)
  return shown.length > 0 ? shown.join(', ') : String(subject?.CN ?? 'none')
}

function issuerText({ issuer }: PeerCertificate): string {
  return String(issuer?.O ?? issuer?.CN ?? 'an authority without a name')
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
