import { cacheDirectory, configDirectory, dataDirectory } from '../../base/storage/directories.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { maskBaseUrl } from '../../client/profiles/base-url.ts'
import type { EffectiveSetting } from '../../client/profiles/effective.ts'
import {
  type CommonFlags,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  parseEffort,
} from '../../terminal/input/command-line.ts'
import { GLOBAL_FLAGS } from '../../terminal/input/flags.ts'
import type { Format } from '../../terminal/render/view.ts'
import { type Host, isVerbose } from '../../terminal/runtime/host.ts'
import { readTraceTarget, TRACE_VARIABLES } from '../../terminal/runtime/observing/otlp.ts'
import { maskPing, PING_VARIABLE } from '../../terminal/runtime/observing/ping-url.ts'
import { silencedBy } from '../../terminal/update/notice.ts'
import { parseUpdateUrl, updateSource } from '../../terminal/update/source.ts'

const DEFAULT_TIMEOUT = `${formatDuration(DEFAULT_TIMEOUT_MS.answer)}, lists ${formatDuration(DEFAULT_TIMEOUT_MS.list)}`

/**
 * Returns the settings for sending requests and printing responses. Throws USAGE if `--timeout` or `--retries` is
 * malformed.
 */
export function describeRun(
  flags: CommonFlags,
  argv: readonly string[],
  format: Format,
  host: Host,
): EffectiveSetting[] {
  const { env } = host
  const { retries } = parseEffort(flags, argv)
  const given = (flag: string, variable: string) =>
    argv.some((word) => word === flag || word.startsWith(`${flag}=`)) ? flag : variable
  const outputFrom = () => {
    if (flags.json) return '--json'
    if (argv.some((word) => /^(?:--output(?:=|$)|-[a-z]*o)/.test(word))) return '--output'
    return env['PARTNER_OUTPUT'] ? 'PARTNER_OUTPUT' : flags.query === undefined ? 'default' : '--query'
  }
  const verboseFrom = () => {
    if (flags.verbose) return '--verbose'
    return isVerbose(host, false) ? 'PARTNER_DEBUG' : 'default'
  }
  return [
    { setting: 'output', value: format, from: outputFrom() },
    { setting: 'color', ...colorSetting(host, flags) },
    { setting: 'verbose', value: isVerbose(host, flags.verbose === true), from: verboseFrom() },
    flags.timeout === undefined
      ? { setting: 'timeout', value: DEFAULT_TIMEOUT, from: 'default' }
      : { setting: 'timeout', value: flags.timeout, from: given('--timeout', 'PARTNER_TIMEOUT') },
    retries === undefined
      ? { setting: 'retries', value: DEFAULT_RETRIES, from: 'default' }
      : { setting: 'retries', value: retries, from: given('--retries', 'PARTNER_RETRIES') },
  ]
}

/** Returns whether the output is coloured and which setting determines that. See `screenOf`. */
function colorSetting({ env, stdoutScreen }: Host, flags: CommonFlags): Pick<EffectiveSetting, 'value' | 'from'> {
  if (flags['no-color']) return { value: false, from: '--no-color' }
  const from = env['FORCE_COLOR'] ? 'FORCE_COLOR' : env['NO_COLOR'] ? 'NO_COLOR' : null
  return { value: stdoutScreen.color, from: from ?? (env['TERM'] === 'dumb' ? 'TERM' : 'default') }
}

/** The flags that `describeService` and `describeRun` already describe. */
const SHOWN_FLAGS = ['profile', 'base-url', 'timeout', 'retries', 'output', 'json', 'verbose', 'no-color']

/**
 * Describes the other global flags on the command line. They apply to a single run, and no variable or profile can set
 * them.
 */
export function describeTyped(flags: CommonFlags): EffectiveSetting[] {
  return GLOBAL_FLAGS.filter(({ name }) => !SHOWN_FLAGS.includes(name)).flatMap(({ name }) => {
    const value = flags[name as keyof CommonFlags]
    if (value === undefined || value === false) return []
    const setting = name.replace(/-./g, (letter) => letter.charAt(1).toUpperCase())
    return [{ setting, value: Array.isArray(value) ? value.join('&') : value, from: `--${name}` }]
  })
}

/** Describes the directories, the proxy and the program itself. Throws the same errors as `configDirectory`. */
export function describeMachine(host: Host): EffectiveSetting[] {
  const { env, version } = host
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
    ...describeObserving(env),
    ...describeUpdates(host),
    { setting: 'version', value: version, from: 'partner' },
    {
      setting: 'node',
      value: `${process.version} (${process.execPath})`,
      from: env['PARTNER_RELAUNCHED'] ? 'brought along' : 'PATH',
    },
  ]
}

function describeUpdates({ env, dist }: Host): EffectiveSetting[] {
  const source = updateSource(env, dist)
  const isUsable = source !== null && parseUpdateUrl(source.address) !== null
  const address = source && maskBaseUrl(source.address)
  const silencing = silencedBy(env)
  return [
    {
      setting: 'updateUrl',
      value:
        source === null || isUsable
          ? address
          : `${address} (not used: it must be https, without a user name, password or query)`,
      from: source?.from ?? null,
    },
    { setting: 'updateNotice', value: isUsable && silencing === null, from: silencing ?? 'default' },
  ]
}

/** Describes the URLs that runs send pings and traces to. Masks the ping URL, because its path is a secret. */
function describeObserving(env: Host['env']): EffectiveSetting[] {
  const ping = env[PING_VARIABLE]
  const target = readTraceTarget(env)
  const variable = TRACE_VARIABLES.find((name) => env[name])
  return [
    { setting: 'pingUrl', value: ping ? maskPing(ping) : null, from: ping ? PING_VARIABLE : null },
    { setting: 'tracesUrl', value: target && maskBaseUrl(target.url.href), from: target && (variable ?? null) },
  ]
}

function withoutPassword(text: string): string {
  return text.replace(/^([a-z\d+.-]+:\/\/)[^/?#]*@/i, '$1••••@')
}
