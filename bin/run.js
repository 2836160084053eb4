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
  if (argv[0] === '--version' || argv[0] === 'version')
    return `partner/${read('help/version.txt')} ${process.platform}-${process.arch} node-${process.version}\n`
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  const named = own[0] === 'help' ? own.slice(1) : own
  const stop = named.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  const words = stop < 0 ? named : named.slice(0, stop)
  const asks = own.length === 0 || own[0] === 'help' || own.includes('--help') || own.includes('-h')
  if (asks && words.length === 0) return read('help/partner.txt')
  if (asks) return commandPage(words) || page('topics', words)
  return words.length === own.length && !page('commands', words) ? page('topics', words) : null
}

/** The page of the command that these words begin with: `sandbox faults add`, `bookings list`, `doctor`. */
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
  const child = require('node:child_process').spawn(node, [__filename].concat(argv), { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + (require('node:os').constants.signals[signal] || 0) : code
  })
}

/** Where the code cache of a bundle may stand: beside it, as built, or in the user's cache directory, made by a first run. */
function codeCachePlaces(bundle) {
  const name = path.basename(bundle, '.cjs')
  const key = `${process.versions.v8}-${process.platform}-${process.arch}`
  const { size, mtimeMs } = fs.statSync(bundle)
  const home = process.env.HOME || ''
  const xdg = process.env.XDG_CACHE_HOME || (home && path.join(home, '.cache'))
  const own = process.env.PARTNER_CACHE_DIR || (xdg && path.join(xdg, 'partner'))
  return {
    shipped: path.join(path.dirname(bundle).replace(/vendor$/, ''), 'code-cache', key, `${name}.bin`),
    own: path.isAbsolute(own) ? path.join(own, 'code', `${name}-${key}-${size}-${Math.round(mtimeMs)}.bin`) : null,
  }
}

function readCodeCache({ shipped, own }) {
  for (const place of [shipped, own]) {
    try {
      if (!place) continue
      const stat = fs.statSync(place)
      if (!stat.isFile()) continue
      // What is read here is run: it must be a file that nobody else could have written.
      if (place === own && process.getuid && (stat.uid !== process.getuid() || (stat.mode & 0o022) !== 0)) continue
      return fs.readFileSync(place)
    } catch {
      // Not there: the next place, or none.
    }
  }
  return undefined
}

/** Keeps the code cache of a successful run for the next one. A cache that cannot be kept is no reason to say anything. */
function keepCodeCache(script, place) {
  try {
    fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    const temporary = `${place}.${process.pid}`
    fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600, flag: 'wx' })
    fs.renameSync(temporary, place)
  } catch {
    // A read-only home, a full disk: the next run compiles again.
  }
}

/** The bundles that were loaded, each with its script and, when it had no code cache, the place for one. */
const loaded = new Map()

/**
 * Runs a bundle of dist/, from its code cache where there is one. It is read as latin1, which V8 takes fastest: esbuild
 * escapes what is not ASCII, but for a regex literal (one today, in ansis, which strips colours and loses nothing by it).
 */
function load(bundle) {
  const known = loaded.get(bundle)
  if (known) return known.module.exports
  const vm = require('node:vm')
  const places = codeCachePlaces(bundle)
  const cachedData = readCodeCache(places)
  const source = fs.readFileSync(bundle, 'latin1')
  const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
    filename: bundle,
    cachedData,
  })
  const module = { exports: {} }
  const missing = cachedData === undefined || script.cachedDataRejected ? places.own : null
  loaded.set(bundle, { module, script, missing })
  const requireBeside = (id) => (id.startsWith('./') ? load(path.join(path.dirname(bundle), id)) : require(id))
  script.runInThisContext()(module.exports, requireBeside, module, bundle, path.dirname(bundle))
  return module.exports
}

function run() {
  load(path.join(dist, 'partner.cjs'))
    .run(argv)
    .then((code) => {
      process.exitCode = code
      if (code !== 0) return
      for (const { script, missing } of loaded.values()) if (missing) keepCodeCache(script, missing)
    })
}

function start() {
  if (!fs.existsSync(path.join(dist, 'partner.cjs'))) {
    process.stderr.write('error: partner is not built yet\nnext: npm ci && npm run build\n')
    process.exitCode = 1
    return
  }
  const page = staticPage()
  if (page !== null) return print(page)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) return relaunch()
  run()
}

// The build loads the bundles through this file too, to make their code caches.
if (require.main === module) start()
else module.exports = { load, loaded }
