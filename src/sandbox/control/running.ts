import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { describeSandbox, type SandboxFacts } from '../facts.ts'
import { DEFAULT_VENUE } from '../venue/venue.ts'
import { remoteControl } from './remote.ts'
import { listTokenPorts } from './token.ts'

/**
 * Finds the sandbox at an address or, without an address, the only sandbox that this user is running. Throws USAGE if
 * there is none, or more than one.
 */
export async function readRunning(named: string | undefined): Promise<SandboxFacts> {
  const address = await findRunning(named)
  const [venue = DEFAULT_VENUE] = await remoteControl(address).listVenues()
  return describeSandbox(address, venue)
}

async function findRunning(named: string | undefined): Promise<string> {
  if (named !== undefined) {
    await remoteControl(named).readClock()
    return new URL(named).origin
  }
  const addresses = await Promise.all(listTokenPorts().map(findAddressAt))
  const running = addresses.filter((address) => address !== null)
  const [only] = running
  if (only === undefined)
    throw new Failure('USAGE', 'you have no running sandbox', {
      hint: 'start a sandbox in another terminal: partner sandbox start',
    })
  if (running.length > 1)
    throw new Failure('USAGE', `${running.length} sandboxes are running: ${running.join(', ')}`, {
      hint: `choose a sandbox: ${formatCommand`sandbox env --base-url ${only}`}`,
    })
  return only
}

/**
 * Returns the address of the sandbox on a port, or `null` if no sandbox responds there, for example because it crashed.
 */
async function findAddressAt(port: number): Promise<string | null> {
  for (const address of [`http://127.0.0.1:${port}`, `http://[::1]:${port}`]) {
    try {
      await remoteControl(address).readClock()
      return address
    } catch {}
  }
  return null
}
