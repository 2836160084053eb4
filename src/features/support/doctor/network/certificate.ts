import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { counted } from '../../../../base/counted.ts'
import { DAY_MS } from '../../../../base/time/units.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

/** What a server showed when a secure connection was made. */
export interface Shown {
  readonly host: string
  readonly certificate: PeerCertificate
  /** Why the chain is not trusted, as OpenSSL names it (`CERT_HAS_EXPIRED`); null: it is trusted. */
  readonly chainError: string | null
  /** `TLSv1.3` */
  readonly protocol: string
}

/** What to do about a certificate; commands that only look. */
export interface CertificateSteps {
  /** Shows what the server presents. */
  readonly show: string
  /** Looks again with another authority. */
  readonly trust: string
  /** Shows which address is used. */
  readonly address: string
}

/** With fewer days left, somebody should see to it. */
const FEW_DAYS = 14

/** Judges a certificate: whether it is of this time, for this name, and vouched for. `now` in epoch milliseconds. */
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
  if (chainError !== null) return fail(name, chainText(chainError, certificate), chainStep(chainError, steps))
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

function chainStep(code: string, { show, trust }: CertificateSteps): string {
  return code.includes('EXPIRED') ? show : trust
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
