#!/usr/bin/env node
'use strict'
// Runs partner from its TypeScript source, without a build. This needs Node 24 or later, which can run TypeScript files
// directly. Help pages still need a build.
const fs = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const source = path.join(root, 'src')
const commandRoot = path.join(source, 'commands')
const commands = Object.fromEntries(
  fs
    .readdirSync(commandRoot, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.slice(0, -3).split(path.sep).join(' '), () => import(path.join(commandRoot, file))]),
)
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))

Promise.all([
  import(path.join(source, 'terminal', 'runtime', 'main.ts')),
  import(path.join(source, 'features', 'sandbox', 'profile.ts')),
])
  .then(([{ main }, { sandbox }]) =>
    main(process.argv.slice(2), commands, { version, sandbox, dist: path.join(root, 'dist') }),
  )
  .then((code) => process.exit(code))
