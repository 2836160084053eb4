import type { Config } from '@oclif/core/interfaces'
import type { Host } from './host.ts'

/**
 * Returns the part of oclif's configuration that its Command class needs. Loading the whole configuration
 * (package.json, plugins) is slow.
 */
export function configFor(host: Host): Config {
  const config = {
    ...{ bin: 'partner', name: 'partner', topicSeparator: ' ', version: host.version, pjson: { oclif: {} }, host },
    runHook: async () => ({ successes: [], failures: [] }),
    scopedEnvVar: () => undefined,
    scopedEnvVarTrue: () => false,
    scopedEnvVarKey: (name: string) => `PARTNER_${name}`,
    scopedEnvVarKeys: (name: string) => [`PARTNER_${name}`],
  }
  return config as unknown as Config
}

export function hostOf(config: Config): Host {
  return (config as unknown as { readonly host: Host }).host
}
