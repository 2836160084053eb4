#!/usr/bin/env node
'use strict'
// Written so that any Node can parse it. The build makes dist/launch.cjs from src/terminal/launch.

function fail(problem, next) {
  process.exitCode = 1
  process.stderr.write(`error: ${problem}\nnext: ${next}\n`)
}

try {
  // Node finds an absolute path faster.
  require(`${__dirname}/../dist/launch.cjs`)
    .start(process.argv.slice(2))
    .catch((error) => fail(`partner is damaged: ${error.message}`, 'install it again, or npm run build'))
} catch (error) {
  if (error.code === 'MODULE_NOT_FOUND') fail('partner is not built yet', 'npm ci && npm run build')
  else fail(`partner is damaged: ${error.message}`, 'install it again, or npm run build')
}
