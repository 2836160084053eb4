import { environmentOfChild } from '../../../terminal/runtime/child/child-environment.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { HandlerSurroundings } from '../../../webhooks/handling/handler-commands.ts'

/**
 * Returns the environment and the output function for handler commands. The environment omits secrets and the variables
 * in `more`.
 */
export async function surroundings(host: Host, more: readonly string[] = []): Promise<HandlerSurroundings> {
  return {
    env: await environmentOfChild(host, more),
    print: (bytes) => void host.stderr.writeEvenIfQuiet(bytes).catch(() => undefined),
  }
}
