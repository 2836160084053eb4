'use strict'
// Creates the code caches: loads the bundle as dist/run.cjs does, runs the commands that must start fast, and saves the
// code that V8 has compiled. V8 compiles a function when it first runs, so a cache created without running any command
// would contain almost nothing. Each group of commands has its own cache, which is created in a separate process. Each
// rarely needed bundle also has its own cache.
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const dist = path.resolve(process.argv[2])
const task = process.argv[3]
const bundle = path.join(dist, 'partner.cjs')
const TIME_LIMIT_MS = 60_000

const bundles = require(path.join(dist, 'run.cjs')).openBundles(task)

const RESERVATION = JSON.stringify({
  numOfPeople: 2,
  serviceId: 'svc',
  sectionId: 'sec',
  customer: { firstName: 'A', lastName: 'B', phone: '1' },
  time: '2030-01-01 12:00',
})
const WEEKS = ['bookings', 'list', '--from', '-7d', '--to', '+7d']
const CARD = 'GIFT1-00000100-AAAA'

/** For each cache, the commands to run before V8's compiled code is saved. */
const TASKS = {
  local: async () => {
    process.env.PARTNER_SIGNING_SECRET = 'warm-up'
    await run(['sign', '--url', 'https://example.com/hook', '--body', '{}'])
    await run(['profiles', 'list'])
    await run(['profiles', 'list', '--json'])
  },
  read: async () => {
    const [booking] = (await run([...WEEKS, '--limit', '1', '-o', 'ndjson'])).split('\n')
    const { bookingId } = JSON.parse(booking)
    await run(['bookings', 'get', bookingId, '--json'])
    await run(['bookings', 'get', bookingId])
    await run(WEEKS)
    await run(['bookings', 'statuses', '--json'])
    await run(['giftcards', 'get', CARD, '--json'])
  },
  write: async () => {
    await run(['giftcards', 'redeem', CARD, '--amount', '1', '--yes', '--json'])
    await run(['reservations', 'create', '--dry-run', '--data', RESERVATION])
  },
  sandbox: async () => {
    process.env.PARTNER_PROFILE = 'sandbox'
    await run(['bookings', 'statuses'])
    await run([...WEEKS, '--limit', '1', '--json'])
    await run(['giftcards', 'redeem', CARD, '--amount', '1', '--yes', '--json'])
  },
  // These commands load two more packages: Zod checks request bodies, and conf writes profiles.
  vendored: async () => {
    await run(['profiles', 'add', 'warm-up', '--base-url', 'https://example.com', '--api-key', 'env:NOWHERE'])
    await run(['reservations', 'create', '--dry-run', '--data', RESERVATION])
  },
}

async function quietly(work) {
  const { write } = process.stdout
  const errorWrite = process.stderr.write
  const said = []
  const keep = (text, encoding, done) => {
    said.push(String(text))
    const callback = typeof encoding === 'function' ? encoding : done
    if (callback) callback()
    return true
  }
  process.stdout.write = keep
  process.stderr.write = keep
  try {
    return { code: await work(), said: said.join('') }
  } finally {
    process.stdout.write = write
    process.stderr.write = errorWrite
  }
}

async function run(argv) {
  const { code, said } = await quietly(() => bundles.load(bundle).run(argv))
  if (code !== 0) throw new Error(`the warm-up run of "partner ${argv.join(' ')}" ended with ${code}:\n${said}`)
  return said
}

async function makeCache() {
  await TASKS[task]()
  bundles.shipCodeCaches((file) => (file === bundle) === (task !== 'vendored'))
}

/** Creates all caches. Starts a sandbox for the commands that send requests. */
async function makeAll() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'partner-build-'))
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PARTNER_')))
  for (const kind of ['CONFIG', 'DATA', 'CACHE']) env[`PARTNER_${kind}_DIR`] = path.join(home, kind.toLowerCase())
  const stdio = ['ignore', 'pipe', 'inherit']
  const service = spawn(process.execPath, [__filename, dist, 'service'], { env, stdio, timeout: 2 * TIME_LIMIT_MS })
  try {
    const line = await new Promise((resolve, reject) => {
      service.stdout.once('data', (text) => resolve(String(text)))
      service.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)))
    })
    const { baseUrl, apiKey } = JSON.parse(line.split('\n')[0])
    for (const name of Object.keys(TASKS)) {
      const at = { ...env, PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey }
      const needs = name === 'read' || name === 'write' || name === 'vendored' ? at : env
      const options = { env: needs, stdio: 'inherit', timeout: TIME_LIMIT_MS }
      const { status } = spawnSync(process.execPath, [__filename, dist, name], options)
      if (status !== 0) throw new Error(`the code cache of ${name} was not made`)
    }
  } finally {
    // Waits for the sandbox to exit before removing its directory.
    await new Promise((resolve) => {
      if (service.exitCode !== null) return resolve()
      service.once('exit', resolve)
      service.kill()
    })
    fs.rmSync(home, { recursive: true, force: true })
  }
}

const work =
  task === undefined
    ? makeAll
    : task === 'service'
      ? async () => bundles.load(bundle).run(['sandbox', 'start', '--port', '0', '--data', ':memory:', '--json'])
      : makeCache

work().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
