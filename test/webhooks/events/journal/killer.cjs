// Counts file operations in the KILL_IN directory and kills this process before, during or after operation KILL_AT.
const fs = require('node:fs')
const { dirname } = require('node:path')
const { KILL_IN: home, KILL_AT: at, KILL_HOW: how, KILL_COUNT: count } = process.env

let steps = 0
const own = new Set()
const isOurs = (what) => own.has(what) || (typeof what === 'string' && (what === home || dirname(what) === home))
const die = () => process.kill(process.pid, 'SIGKILL')

const wrap = (name, isAsync) => {
  const real = fs[name]
  const wrapped = (...args) => {
    // For a rename, checking the first path is enough, because both paths are in the same directory.
    if (!isOurs(args[0])) return real(...args)
    const isIt = ++steps === Number(at)
    if (isIt && how === 'before') die()
    if (isIt && how === 'half' && Buffer.isBuffer(args[1])) args[3] = args[1].length >> 1
    const done = (result) => {
      if (name === 'openSync') own.add(result)
      if (isIt) die()
      return result
    }
    if (!isAsync) return done(real(...args))
    const callback = args.pop()
    return real(...args, (...results) => {
      if (isIt) die()
      callback(...results)
    })
  }
  // `promisify` reads these properties.
  for (const symbol of Object.getOwnPropertySymbols(real)) wrapped[symbol] = real[symbol]
  fs[name] = wrapped
}

for (const name of ['openSync', 'renameSync', 'rmSync', 'chmodSync', 'fsyncSync', 'writeFileSync', 'ftruncateSync'])
  wrap(name, false)
for (const name of ['write', 'fdatasync', 'fsync', 'ftruncate']) wrap(name, true)
process.on('exit', () => {
  if (count) fs.appendFileSync(count, String(steps))
})
