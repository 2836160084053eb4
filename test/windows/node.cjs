#!/usr/bin/env node
'use strict'
// Behaves like Node, but runs the program in Node for Windows, through the bridge whose port is in PARTNER_TEST_BRIDGE.
// Tests use this file as Node if PARTNER_TEST_NODE contains its path.
const fs = require('node:fs')
const net = require('node:net')
const readline = require('node:readline')

const socket = net.connect(Number(process.env.PARTNER_TEST_BRIDGE), '127.0.0.1')
const send = (message) => socket.write(`${JSON.stringify(message)}\n`)
let exitCode = 1

// With 2>&1, both descriptors refer to the same file.
const [out, err] = [1, 2].map((descriptor) => fs.fstatSync(descriptor))
const merging = out.dev === err.dev && out.ino === err.ino ? { PARTNER_TEST_MERGED: '1' } : {}

send({ args: process.argv.slice(2), env: { ...process.env, ...merging }, cwd: process.cwd(), client: process.pid })
process.stdin.on('data', (bytes) => send({ in: bytes.toString('base64') }))
process.stdin.on('end', () => send({ end: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => send({ signal }))
// SIGUSR2 stands in for SIGBREAK (Ctrl-Break), which Linux does not have.
process.on('SIGUSR2', () => send({ signal: 'SIGBREAK' }))
if (process.channel) {
  process.on('message', (ipc) => send({ ipc }))
  process.on('disconnect', () => process.exit(0))
}
readline.createInterface({ input: socket }).on('line', (line) => {
  const { out, err, ipc, code } = JSON.parse(line)
  if (out) process.stdout.write(Buffer.from(out, 'base64'))
  if (err) process.stderr.write(Buffer.from(err, 'base64'))
  if (ipc) process.send(ipc)
  if (code !== undefined) exitCode = code
})
process.stdout.on('error', () => send({ unread: true }))
socket.on('error', ({ message }) => process.stderr.write(`the bridge to Windows: ${message}\n`))
socket.on('close', () => {
  // A killed program has no exit code on Linux, so kill this process too.
  if (exitCode === null) process.kill(process.pid, 'SIGKILL')
  process.exitCode = exitCode
  process.stdin.destroy()
  if (process.connected) process.disconnect()
})
