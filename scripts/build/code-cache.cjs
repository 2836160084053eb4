'use strict'
// Compiles the bundle the way bin/run.js does, uses it for the commands that must start fast, and keeps what V8 compiled.
// A cache made after a run holds the functions that the run needed; one made before holds next to none.
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const dist = process.argv[2]
const bundle = path.join(dist, 'partner.cjs')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'partner-build-'))

const { load, loaded, sealed } = require('../../bin/run.js')

const quietly = async (work) => {
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
  const { code, said } = await quietly(() => load(bundle).run(argv))
  if (code !== 0) throw new Error(`the warm-up run of "partner ${argv.join(' ')}" ended with ${code}:\n${said}`)
  return said
}

const RESERVATION = JSON.stringify({
  numOfPeople: 2,
  serviceId: 'svc',
  sectionId: 'sec',
  customer: { firstName: 'A', lastName: 'B', phone: '1' },
  time: '2030-01-01 12:00',
})

async function warmUp() {
  for (const name of Object.keys(process.env)) if (name.startsWith('PARTNER_')) delete process.env[name]
  for (const kind of ['CONFIG', 'DATA', 'CACHE'])
    process.env[`PARTNER_${kind}_DIR`] = path.join(home, kind.toLowerCase())
  process.env.PARTNER_PROFILE = 'sandbox'
  const listed = await run(['bookings', 'list', '--from', '-7d', '--to', '+7d', '--limit', '1', '-o', 'ndjson'])
  await run(['bookings', 'get', JSON.parse(listed).bookingId, '--json'])
  await run(['bookings', 'list', '--from', 'today'])
  await run(['bookings', 'statuses', '--json'])
  // What writes loads: zod for the checks of a body, conf for a profile.
  await run(['profiles', 'add', 'warm-up', '--base-url', 'https://example.com', '--api-key', 'env:NOWHERE'])
  await run(['reservations', 'create', '--dry-run', '--data', RESERVATION])
  await run(['giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '1', '--json'])
  const target = path.join(dist, 'code-cache', `${process.versions.v8}-${process.platform}-${process.arch}`)
  fs.mkdirSync(target, { recursive: true })
  for (const [file, { script, mark }] of loaded)
    fs.writeFileSync(path.join(target, `${path.basename(file, '.cjs')}.bin`), sealed(script.createCachedData(), mark))
}

warmUp()
  .finally(() => fs.rmSync(home, { recursive: true, force: true }))
  .catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
