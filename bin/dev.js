#!/usr/bin/env node
'use strict'
// Runs partner from its source, without a build, on a Node that strips types (24 and later). Help pages need a build.
const fs = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const commandRoot = path.join(root, 'src', 'commands')
const commands = Object.fromEntries(
  fs
    .readdirSync(commandRoot, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.slice(0, -3).split(path.sep).join(' '), () => import(path.join(commandRoot, file))]),
)
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))

import(path.join(root, 'src', 'cli', 'main.ts'))
  .then(({ main }) => main(process.argv.slice(2), commands, version))
  .then((code) => process.exit(code))
