import { accessSync, constants } from 'node:fs'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { NetworkError } from '../../../../http/client/errors.ts'
import { command, type DoctorState, type Examination, stepSignal } from '../examination.ts'
import { type Finding, fail, skip } from '../finding.ts'
import { type CertificateSteps, checkCertificate, type Handshake } from './certificate.ts'
import {
  addressText,
  networkSection,
  openConnection,
  orNetworkError,
  type ServerAddress,
  toStepError,
  waitUntilConnected,
} from './sockets.ts'

const NAME = 'tls'
/** Matches the error codes of handshakes that failed because the two sides have no TLS version in common. */
const NO_COMMON_VERSION = /UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW|NO_PROTOCOLS|HANDSHAKE_FAILURE/

/** Checks the TLS version and the certificate's chain, name and dates. */
export const tlsSection = networkSection(NAME, ['profile', 'proxy', 'tcp'], async function* (place, given, known) {
  const { socket } = known
  known.socket = null
  if (place.url.protocol === 'http:') {
    socket?.destroy()
    return yield skip(NAME, 'plain http, which does not leave this machine')
  }
  if (socket === null) return yield skip(NAME, 'there is no connection to check')
  const steps = stepsFor(place, given, known)
  const shown = await orNetworkError(makeHandshake(socket, place, given))
  if (shown instanceof NetworkError) return yield failedHandshakeRow(shown, given, known, place, steps.show)
  const finding = checkCertificate(NAME, shown, steps, given.around.now())
  yield finding.status === 'ok' ? finding : addUnreadableFile(finding, given)
})

/**
 * Performs a TLS handshake and closes the connection. Accepts untrusted certificates, because nothing else is sent.
 * Throws NetworkError or Interrupted.
 */
async function makeHandshake(
  socket: Socket,
  place: ServerAddress,
  given: Examination,
  more?: ConnectionOptions,
): Promise<Handshake> {
  const signal = stepSignal(given)
  const servername = isIP(place.host) === 0 ? { servername: place.host } : {}
  try {
    const secure = connect({ socket, ...servername, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false, ...more })
    await waitUntilConnected(secure, signal, 'secureConnect')
    const chainError = secure.authorized ? null : String(secure.authorizationError)
    return {
      host: place.host,
      certificate: secure.getPeerCertificate(),
      chainError: chainError === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : chainError,
      protocol: secure.getProtocol() ?? 'TLS',
    }
  } catch (error) {
    throw toStepError(error, given, signal)
  } finally {
    socket.destroy()
  }
}

/**
 * Returns the row for a failed handshake. If the two sides have no TLS version in common, determines which old version
 * the server supports.
 */
async function failedHandshakeRow(
  error: NetworkError,
  given: Examination,
  known: DoctorState,
  place: ServerAddress,
  next: string,
) {
  if (!NO_COMMON_VERSION.test(codeOf(error)))
    return fail(NAME, `${addressText(place)}: ${error.message}`, command('config', given))
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const socket = await orNetworkError(openConnection(given, known, place))
  const shown = socket instanceof NetworkError ? socket : await orNetworkError(makeHandshake(socket, place, given, old))
  const why =
    shown instanceof NetworkError
      ? `the two sides have no TLS version or cipher in common (${codeOf(error)})`
      : `it speaks at most ${shown.protocol.replace(/^TLSv1$/, 'TLSv1.0')}, and versions before TLSv1.2 are not safe`
  return fail(NAME, `${addressText(place)}: ${why}; its operator must enable TLSv1.2 or newer`, next)
}

function codeOf({ cause }: NetworkError): string {
  return String((cause as NodeJS.ErrnoException | undefined)?.code ?? '')
}

function stepsFor(place: ServerAddress, given: Examination, { proxy }: DoctorState): CertificateSteps {
  const way = proxy === null ? '' : ` -proxy ${quoteShellWord(proxy.address.host)}`
  const name = isIP(place.host) === 0 ? ` -servername ${quoteShellWord(place.host)}` : ''
  return {
    show: `openssl s_client -connect ${quoteShellWord(addressText(place))}${name}${way} -showcerts </dev/null`,
    trust: `NODE_EXTRA_CA_CERTS=/path/to/authority.pem ${command('doctor', given)}`,
    address: command('config', given),
  }
}

/**
 * Adds a remark to a failed row if the file with additional certificate authorities cannot be read. Node itself does
 * not report an unreadable file.
 */
function addUnreadableFile(finding: Finding, { around }: Examination): Finding {
  const path = around.env['NODE_EXTRA_CA_CERTS']
  if (!path || finding.status !== 'fail') return finding
  try {
    accessSync(path, constants.R_OK)
    return finding
  } catch {
    return { ...finding, message: `${finding.message}; NODE_EXTRA_CA_CERTS refers to ${path}, which cannot be read` }
  }
}
