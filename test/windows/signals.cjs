'use strict'
// Loaded before each program that the bridge starts. Linux signals do not reach a program in Wine, so the bridge sends
// their names, and this code emits them as Node for Windows does for Ctrl-C, Ctrl-Break and a closed window.
require('./taskkill.cjs')
const emit = process.emit.bind(process)
const exit = process.exit.bind(process)
process.emit = (event, message, ...rest) => {
  const signal = event === 'message' ? message?.signal : undefined
  if (signal === undefined) return emit(event, message, ...rest)
  return emit(signal, signal) || exit(1)
}
const kill = process.kill.bind(process)
process.kill = (pid, signal) => {
  // On Windows, a killed process exits with code 1, like a failed one, so report the kill to the bridge.
  if (pid === process.pid && signal === 'SIGKILL') process.send({ killed: true })
  return kill(pid, signal)
}
// Use one pipe for both streams, because two pipes would lose the order of the output.
if (process.env.PARTNER_TEST_MERGED) Object.defineProperty(process, 'stderr', { value: process.stdout })
// Node delivers messages only if there is a listener. The channel must not keep the process alive.
process.on('message', () => {})
process.channel.unref()
