'use strict'
// Preloaded into a run of the tool. Writes the names of all modules that the run loads to the file named by
// LOADED_MODULES.
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const report = process.env.LOADED_MODULES
const before = new Set(process.moduleLoadList)
const files = new Set()
const rejectedCaches = []

const { readFileSync } = fs
fs.readFileSync = (file, ...rest) => {
  if (typeof file === 'string') files.add(path.resolve(file))
  return readFileSync(file, ...rest)
}

const { Script } = vm
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options)
    if (options?.cachedData === undefined || this.cachedDataRejected) rejectedCaches.push(options?.filename)
  }
}

let formatters = 0
Intl.DateTimeFormat = class extends Intl.DateTimeFormat {
  constructor(...options) {
    super(...options)
    formatters++
  }
}

process.once('exit', () => {
  const builtins = process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule ') && !before.has(name))
    .map((name) => name.slice('NativeModule '.length))
  fs.writeFileSync(report, JSON.stringify({ builtins, files: [...files], rejectedCaches, formatters }))
})
