import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { counted } from '../../../../base/counted.ts'
import { DAY_MS } from '../../../../base/time/units.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

/** What a server presented in the TLS handshake. */
export interface Shown {
  readonly host: string
  readonly certificate: PeerCertificate
  /** Why the chain is not trusted, as an OpenSSL code (`CERT_HAS_EXPIRED`). Null if it is trusted. */
  readonly chainError: string | null
  /** `TLSv1.3` */
  readonly protocol: string
}

/** Commands to run next. They change nothing. */
export interface CertificateSteps {
  /** Shows the certificates of the server. */
  readonly show: string
  /** Runs the doctor again with another authority. */
  readonly trust: string
  /** Shows the configured address. */
  readonly address: string
}

/** Fewer days left than this is a warning. */
const FEW_DAYS = 14

/** Checks the dates, the name and the chain of a certificate. `now` in epoch milliseconds. */
export function judgeCertificate(name: string, shown: Shown, steps: CertificateSteps, now: number): Finding {
  const { host, certificate, chainError, protocol } = shown
  const [from, to] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  const today = dayText(now)
  if (to < now)
    return fail(name, `the certificate of ${host} expired on ${dayText(to)} (here it is ${today})`, steps.show)
  if (from > now)
    return fail(
      name,
      `the certificate of ${host} is not valid before ${dayText(from)}, and here it is ${today}: is the clock of this machine right?`,
      'date -u',
    )
  if (checkServerIdentity(host, certificate) !== undefined)
    return fail(name, `the certificate is for another name: ${namesText(certificate)}, not ${host}`, steps.address)
  if (chainError !== null)
    return fail(name, chainText(chainError, certificate), chainError.includes('EXPIRED') ? steps.show : steps.trust)
  const days = Math.floor((to - now) / DAY_MS)
  const left = `${counted(days, 'day')} left`
  if (days < FEW_DAYS)
    return warn(name, `the certificate of ${host} has ${left}: it expires on ${dayText(to)} (${protocol})`, steps.show)
  return ok(name, `${protocol}, certificate for ${host} from ${issuerText(certificate)}, ${left}`)
}

function chainText(code: string, certificate: PeerCertificate): string {
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return 'the certificate is self-signed: no authority that this machine knows vouches for it (NODE_EXTRA_CA_CERTS adds one)'
  if (code === 'CERT_HAS_EXPIRED') return 'a certificate in the chain of the service has expired'
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code))
    return `this machine does not know the authority that signed the certificate, ${issuerText(certificate)}, or the server leaves a certificate of the chain out (NODE_EXTRA_CA_CERTS adds one)`
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
