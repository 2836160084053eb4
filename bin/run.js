#!/usr/bin/env node
'use strict'
// Even old versions of Node must be able to parse this file. It loads dist/launch.cjs, which the build compiles from
// src/terminal/launch.

function fail(problem, next) {
  process.exitCode = 1
  process.stderr.write(`error: ${problem}\nnext: ${next}\n`)
}

try {
  // The path is absolute, because Node resolves absolute paths faster than relative ones.
  require(`${__dirname}/../dist/launch.cjs`)
    .start(process.argv.slice(2))
    .catch((error) => fail(`partner is damaged: ${error.message}`, 'install it again, or npm run build'))
} catch (error) {
  if (error.code === 'MODULE_NOT_FOUND') fail('partner is not built yet', 'npm ci && npm run build')
  else fail(`partner is damaged: ${error.message}`, 'install it again, or npm run build')
}
