import { type CommonFlags, parseEffort, USUAL_RETRIES, USUAL_TIMEOUT_MS } from '../cli/input/command-line.ts'
import type { Host } from '../cli/runtime/host.ts'
import type { EffectiveSetting } from '../profiles/effective.ts'
import type { Format } from '../render/view.ts'
import { cacheDirectory, configDirectory, dataDirectory, type Variables } from '../storage/directories.ts'
import { formatDuration } from '../time/duration.ts'

const USUAL_TIMEOUT = `${formatDuration(USUAL_TIMEOUT_MS.answer)}, lists ${formatDuration(USUAL_TIMEOUT_MS.list)}`

/** How requests are made and answers printed. Fails: USAGE for a limit that is none. */
export function describeRun(
  flags: CommonFlags,
  argv: readonly string[],
  format: Format,
  env: Variables,
): EffectiveSetting[] {
  const { retries } = parseEffort(flags, argv)
  const isTyped = (...names: readonly string[]) =>
    argv.some((word) => names.some((name) => word === name || word.startsWith(`${name}=`)))
  const given = (flag: string, variable: string) => (isTyped(flag) ? flag : variable)
  const outputFrom = () => {
    if (flags.json) return '--json'
    if (argv.some((word) => /^(?:--output(?:=|$)|-[a-z]*o)/.test(word))) return '--output'
    return env['PARTNER_OUTPUT'] ? 'PARTNER_OUTPUT' : flags.query === undefined ? 'default' : '--query'
  }
  return [
    { setting: 'output', value: format, from: outputFrom() },
    flags.timeout === undefined
      ? { setting: 'timeout', value: USUAL_TIMEOUT, from: 'default' }
      : { setting: 'timeout', value: flags.timeout, from: given('--timeout', 'PARTNER_TIMEOUT') },
    retries === undefined
      ? { setting: 'retries', value: USUAL_RETRIES, from: 'default' }
      : { setting: 'retries', value: retries, from: given('--retries', 'PARTNER_RETRIES') },
  ]
}

/** What this machine brings: directories, the way into the network, the program itself. Fails: as `configDirectory`. */
export function describeMachine({ env, version }: Host): EffectiveSetting[] {
  const xdg = (name: string) => (process.platform === 'linux' && env[name]?.startsWith('/') ? name : 'default')
  const directory = (setting: string, value: string, own: string, shared: string) => ({
    setting,
    value,
    from: env[own] ? own : xdg(shared),
  })
  const variable = (setting: string, names: readonly string[]): EffectiveSetting => {
    const from = names.find((name) => env[name])
    return { setting, value: from === undefined ? null : withoutPassword(env[from] ?? ''), from: from ?? null }
  }
  return [
    directory('configDirectory', configDirectory(env), 'PARTNER_CONFIG_DIR', 'XDG_CONFIG_HOME'),
    directory('dataDirectory', dataDirectory(env), 'PARTNER_DATA_DIR', 'XDG_DATA_HOME'),
    directory('cacheDirectory', cacheDirectory(env), 'PARTNER_CACHE_DIR', 'XDG_CACHE_HOME'),
    variable('proxy', ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']),
    variable('noProxy', ['no_proxy', 'NO_PROXY']),
    variable('caCertificates', ['NODE_EXTRA_CA_CERTS']),
    { setting: 'version', value: version, from: 'partner' },
    {
      setting: 'node',
      value: `${process.version} (${process.execPath})`,
      from: env['PARTNER_RELAUNCHED'] ? 'brought along' : 'PATH',
    },
  ]
}

function withoutPassword(text: string): string {
  return text.replace(/^([a-z\d+.-]+:\/\/)[^/?#]*@/i, '$1••••@')
}
