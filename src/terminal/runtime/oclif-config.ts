import type { Config } from '@oclif/core/interfaces'
import type { Host } from './host.ts'

/** What oclif's Command needs of its configuration. The full one slowly reads package.json and every plugin. */
class RunningConfig {
  readonly bin = 'partner'
  readonly name = 'partner'
  readonly topicSeparator = ' '
  readonly pjson = { oclif: {} }
  readonly theme = undefined
  readonly host: Host
  readonly version: string
  readonly userAgent: string

  constructor(host: Host) {
    this.host = host
    this.version = host.version
    this.userAgent = `partner/${host.version}`
  }

  async runHook() {
    return { successes: [], failures: [] }
  }
  scopedEnvVar() {
    return undefined
  }
  scopedEnvVarTrue() {
    return false
  }
  scopedEnvVarKey(name: string) {
    return `PARTNER_${name}`
  }
  scopedEnvVarKeys(name: string) {
    return [this.scopedEnvVarKey(name)]
  }
}

export function configFor(host: Host): Config {
  return new RunningConfig(host) as unknown as Config
}

export function hostOf(config: Config): Host {
  return (config as unknown as RunningConfig).host
}
