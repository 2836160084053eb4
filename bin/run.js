#!/usr/bin/env node
'use strict'
// Written so that any Node can parse it. Order matters: help and version are printed before anything is loaded, an old
// Node is replaced before anything new is parsed, and the one bundle runs from its V8 code cache where there is one.
const fs = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const dist = path.join(root, 'dist')
const argv = process.argv.slice(2)

/** Writes all of a text to stdout at once, also into a pipe that is full for the moment. */
function print(text) {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest))
    } catch (error) {
      if (error.code === 'EAGAIN') continue
      process.exitCode = error.code === 'EPIPE' ? 0 : 1
      if (error.code !== 'EPIPE') fs.writeSync(2, `error: stdout cannot be written (${error.code})\n`)
      return
    }
  }
}

/** The page that answers this command line, when it asks for help or the version; null when it is a command to run. */
function staticPage() {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  if (own.length === 0) return read(hasProfiles() ? 'help/partner.txt' : 'help/first.txt')
  if (own[0] === 'version' || own[0] === '--version' || own[0] === '-V') return version()
  const asksForVersion = own.includes('--version') || own.includes('-V')
  const asks = own[0] === 'help' || own.includes('--help') || own.includes('-h')
  if (own.every((word) => WORD.test(word))) return asks ? pageFor(own) : topicPage(own)
  if (!asks && !asksForVersion && !own.includes('help')) return null
  const words = commandWords(own)
  if (asksForVersion && words.length === 0) return version()
  if (asks || words[0] === 'help') return pageFor(words)
  return words[words.length - 1] === 'help' ? topicPage(words) : null
}

const WORD = /^[a-z][a-z-]*$/

/** The words before the first argument or flag of a command; global flags and their values may stand among them. */
function commandWords(own) {
  const words = []
  let flags = null
  for (let at = 0; at < own.length; at++) {
    const word = own[at]
    if (word === '-h' || word === '--help' || word === '-V' || word === '--version') continue
    if (!word.startsWith('-')) {
      if (!WORD.test(word)) break
      words.push(word)
      continue
    }
    flags =
      flags ||
      read('help/global-flags.txt')
        .split('\n')
        .map((line) => line.split(' '))
    const [withValue, without] = flags
    if (withValue.includes(word)) at++
    else if (words.length > 0 && !word.includes('=') && !without.includes(word)) break
  }
  return words
}

/** The page of a topic that stands alone, or with `help` behind it; null when these words are none. */
function topicPage(words) {
  const named = words[words.length - 1] === 'help' ? words.slice(0, -1) : words
  return page('commands', words) ? null : page('topics', named)
}

/** The page of the command or topic that these words begin with, once they ask for one; null when there is none. */
function pageFor(asking) {
  const words = asking[0] === 'help' ? asking.slice(1) : asking
  if (words.length === 0 || words[0] === 'help') return read('help/partner.txt')
  if (words.length === 1 && words[0] === 'flags') return read('help/flags.txt')
  if (asking[0] !== 'help') return commandPage(words) || topicPage(words)
  return commandPage(words) || topicPage(words) || guidePage(words)
}

/** The page of docs/ that these words name: `money`, or `guide webhooks` where a topic has that name; null when there is none. */
function guidePage(words) {
  const [name, ...more] = words[0] === 'guide' ? words.slice(1) : words
  if (more.length > 0) return null
  return name === 'guides' || name === undefined ? read('help/guides.txt') : page('guides', [name])
}

/** Answers the completion script of a shell, from a table that the build made. Whatever goes wrong, a Tab says nothing. */
function complete() {
  const place = path.join(dist, 'completion')
  try {
    print(require(path.join(place, 'answer.cjs')).answer(argv.slice(1), process.env, path.join(place, 'table.json')))
  } catch (_error) {}
}

/** Asks for the newest release: a command at a terminal has started this, and nobody waits for it or hears of it. */
function askForUpdate() {
  const end = () => process.exit()
  try {
    // The next command at the till comes first.
    const os = require('node:os')
    os.setPriority(os.constants.priority.PRIORITY_LOW)
    load(path.join(dist, 'partner.cjs')).askForUpdate().then(end, end)
  } catch (_error) {}
}

function version() {
  return `partner/${read('help/version.txt')} ${process.platform}-${process.arch} node-${process.version}\n`
}

/** Whether a profile file stands where profiles are kept, or a service is named in its place. */
function hasProfiles() {
  const { env } = process
  if (env.PARTNER_PROFILE || env.PARTNER_BASE_URL) return true
  const home = env.HOME || env.USERPROFILE || ''
  const places = {
    win32: path.join(env.APPDATA || path.join(home, 'AppData', 'Roaming'), 'partner', 'Config'),
    darwin: path.join(home, 'Library', 'Preferences', 'partner'),
  }
  const xdg = path.isAbsolute(env.XDG_CONFIG_HOME || '') ? env.XDG_CONFIG_HOME : path.join(home, '.config')
  const place = env.PARTNER_CONFIG_DIR || places[process.platform] || path.join(xdg, 'partner')
  return fs.existsSync(path.join(place, 'profiles.json'))
}

/** The page of the command that these words begin with: `sandbox faults add`, `bookings list`, `config`. */
function commandPage(words) {
  return [3, 2, 1].reduce((found, count) => found || page('commands', words.slice(0, count)), null)
}

/** The help page of a command or topic; null when there is none. */
function page(kind, words) {
  const file = path.join('help', kind, `${words.join('.')}.txt`)
  return fs.existsSync(path.join(dist, file)) ? read(file) : null
}

function read(file) {
  return fs.readFileSync(path.join(dist, file), 'utf8')
}

/** Runs this again on the newer Node that a checkout brings; says what is needed where there is none. */
function relaunch() {
  const candidates = [path.join(root, 'node_modules', '.bin', 'node'), path.join(root, '..', '.bin', 'node')]
  const node = process.env.PARTNER_RELAUNCHED ? undefined : candidates.find((candidate) => fs.existsSync(candidate))
  if (!node) {
    process.stderr.write(
      `error: partner needs Node 22.19 or later, and this is ${process.version}\n` +
        'next: install a newer Node (https://nodejs.org), or run it in a checkout after npm ci, which brings one\n',
    )
    process.exitCode = 1
    return
  }
  const env = Object.assign({}, process.env, { PARTNER_RELAUNCHED: '1' })
  // Until the other has ended, whatever becomes of it here is no success.
  process.exitCode = 1
  const child = require('node:child_process').spawn(node, [__filename].concat(argv), {
    // The channel closes when this process ends, even by SIGKILL: see `endWithLauncher`.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  })
  // What a terminal sends goes to both, so the other gets it twice, and only hurries: no exit code depends on how often it comes.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(
      `error: ${node} cannot be run (${error.code})\nnext: npm ci, or install Node 22.19 or later (https://nodejs.org)\n`,
    )
  })
  child.on('exit', (code, signal) => {
    process.exit(code === null ? 128 + (require('node:os').constants.signals[signal] || 0) : code)
  })
}

/** The mark that the build ends a bundle with: 32 digits that tell it from every other. */
function markOf(source) {
  const found = /\/\/([0-9a-f]{32})\n$/.exec(source.slice(-40))
  if (!found) throw new Error('its end is missing')
  return found[1]
}

/**
 * Which code cache a command starts from, by its first words: each holds what its own commands run, so that none pays for the
 * others. The table is fixed; a command line that it puts with the wrong ones only starts slower.
 */
const CODE_CACHES = {
  'giftcards redeem': 'write',
  'giftcards cancel': 'write',
  'sales create': 'write',
  bookings: 'read',
  customers: 'read',
  giftcards: 'read',
  sales: 'read',
  webhooks: 'read',
  api: 'read',
  reservations: 'write',
  inbound: 'write',
  sign: 'local',
  profiles: 'local',
  config: 'local',
  operations: 'local',
}

/** The name of the code cache of this run's commands. */
function codeCacheName() {
  if (process.env.PARTNER_PROFILE === 'sandbox' || argv.includes('sandbox') || argv.includes('--profile=sandbox'))
    return 'sandbox'
  for (const [at, word] of argv.entries()) {
    const both = `${word} ${argv[at + 1]}`
    if (Object.hasOwn(CODE_CACHES, both)) return CODE_CACHES[both]
    if (Object.hasOwn(CODE_CACHES, word)) return CODE_CACHES[word]
  }
  return 'read'
}

/** The directory of what may be deleted at any time, as src/base/storage/directories.ts has it; empty when the environment says none. */
function userCache(env, platform) {
  const { isAbsolute, join } = platform === 'win32' ? path.win32 : path.posix
  if (env.PARTNER_CACHE_DIR) return env.PARTNER_CACHE_DIR
  if (platform === 'win32') return env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'partner', 'Cache') : ''
  if (platform === 'darwin') return env.HOME ? join(env.HOME, 'Library', 'Caches', 'partner') : ''
  if (isAbsolute(env.XDG_CACHE_HOME || '')) return join(env.XDG_CACHE_HOME, 'partner')
  return env.HOME ? join(env.HOME, '.cache', 'partner') : ''
}

/** Where the code cache of a bundle may stand: beside it, as built, or in the user's cache directory, made by a first run. */
function codeCachePlaces(bundle, mark) {
  const base = path.basename(bundle, '.cjs')
  const name = base === 'partner' ? `${base}-${codeCacheName()}` : base
  const key = `${process.versions.v8}-${process.platform}-${process.arch}`
  const own = userCache(process.env, process.platform)
  return {
    shipped: path.join(path.dirname(bundle).replace(/vendor$/, ''), 'code-cache', key, `${name}.bin`),
    own: own && path.isAbsolute(own) ? path.join(own, 'code', `${name}-${key}-${mark}.bin`) : null,
  }
}

/**
 * A code cache as it is kept: twice, with the mark of its bundle behind it. V8 itself runs a damaged one, and that of any
 * bundle of the same length. Comparing the two costs next to nothing; a checksum made here would cost a twentieth of a run.
 */
function sealed(data, mark) {
  return Buffer.concat([data, data, Buffer.from(mark, 'latin1')])
}

/** What a kept code cache of this bundle holds; undefined when it is another's, or damaged. */
function unsealed(bytes, mark) {
  const end = bytes.length - mark.length
  if (end <= 0 || bytes.latin1Slice(end) !== mark) return undefined
  const data = bytes.subarray(0, end / 2)
  return data.equals(bytes.subarray(end / 2, end)) ? data : undefined
}

/** The code cache of a bundle that is kept in this place; undefined when there is none to use. */
function readCodeCache(place, mark, isOwn) {
  try {
    const stat = fs.statSync(place)
    // What is read here is run: it must be a file that nobody else could have written.
    const isSafe = !isOwn || !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
    const data = stat.isFile() && isSafe ? unsealed(fs.readFileSync(place), mark) : undefined
    // Whatever it is, it would be in the way of a good one.
    if (data === undefined && isOwn) fs.rmSync(place, { recursive: true, force: true })
    return data
  } catch (_error) {
    return undefined
  }
}

/** Keeps the code cache of a successful run for the next one. A cache that cannot be kept is no reason to say anything. */
function keepCodeCache(script, mark, place) {
  const temporary = `${place}.${process.pid}`
  try {
    fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    fs.rmSync(temporary, { force: true })
    const file = fs.openSync(temporary, 'wx', 0o600)
    try {
      fs.writeFileSync(file, sealed(script.createCachedData(), mark))
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
    fs.renameSync(temporary, place)
  } catch (_error) {
    // A read-only home, a full disk: the next run compiles again.
    try {
      fs.unlinkSync(temporary)
    } catch (_nothing) {}
  }
}

/** Compiles a bundle, from its code cache where there is one that is whole and that V8 takes. */
function compiled(bundle) {
  const { Script } = require('node:vm')
  const source = fs.readFileSync(bundle, 'latin1')
  const mark = markOf(source)
  const { shipped, own } = codeCachePlaces(bundle, mark)
  const wrapped = `(function(exports,require,module,__filename,__dirname){${source}\n})`
  for (const place of [shipped, own]) {
    const cachedData = place ? readCodeCache(place, mark, place === own) : undefined
    if (!cachedData) continue
    const script = new Script(wrapped, { filename: bundle, cachedData })
    if (!script.cachedDataRejected) return { script, mark, missing: null }
  }
  return { script: new Script(wrapped, { filename: bundle }), mark, missing: own }
}

/** The bundles that were loaded, each with its script and, when it had no code cache, the place for one. */
const loaded = new Map()

/** Runs a bundle of dist/. It is read as latin1, which V8 takes fastest: the build lets nothing but ASCII into it. */
function load(bundle) {
  const known = loaded.get(bundle)
  if (known) return known.module.exports
  const module = { exports: {} }
  const made = compiled(bundle)
  loaded.set(bundle, Object.assign({ module }, made))
  const requireBeside = (id) => (id.startsWith('./') ? load(path.join(path.dirname(bundle), id)) : require(id))
  made.script.runInThisContext()(module.exports, requireBeside, module, bundle, path.dirname(bundle))
  return module.exports
}

function run() {
  let partner
  try {
    partner = load(path.join(dist, 'partner.cjs'))
  } catch (error) {
    process.stderr.write(`error: partner is damaged: ${error.message}\nnext: install it again, or npm run build\n`)
    process.exitCode = 1
    return
  }
  partner.run(argv).then((code) => {
    if (code === 0)
      for (const { script, mark, missing } of loaded.values()) if (missing) keepCodeCache(script, mark, missing)
    // At once: a Node that ends by itself no longer answers signals while it clears up, and one would take the exit code's place.
    process.exit(code)
  })
}

/** Stops this process, as a hangup does, when the launcher that started it is gone. */
function endWithLauncher() {
  if (!process.env.PARTNER_RELAUNCHED || !process.channel) return
  // A partner that this process starts may need a launcher again.
  delete process.env.PARTNER_RELAUNCHED
  process.channel.unref()
  process.on('disconnect', () => process.kill(process.pid, 'SIGHUP'))
}

function start() {
  if (!fs.existsSync(path.join(dist, 'partner.cjs'))) {
    process.stderr.write('error: partner is not built yet\nnext: npm ci && npm run build\n')
    process.exitCode = 1
    return
  }
  if (argv[0] === '__complete') return complete()
  if (argv[0] === '__update') return askForUpdate()
  const page = staticPage()
  if (page !== null) return print(page)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) return relaunch()
  endWithLauncher()
  run()
}

// The build loads the bundles through this file too, to make their code caches; a test asks where they are kept.
if (require.main === module) start()
else module.exports = { load, loaded, sealed, userCache }
