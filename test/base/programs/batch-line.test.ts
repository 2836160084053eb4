import { array, assert as check, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { batchLine } from '../../../src/base/programs/batch-line.ts'

test.each([
  ['plain', 'plain'],
  ['--port=4010', '"--port=4010"'],
  ['C:\\till\\hooks', 'C:\\till\\hooks'],
  ['', '""'],
  ['two words', '"two words"'],
  ['a&calc', '"a&calc"'],
  ['say "hi"', '"say ""hi"""'],
  ['"&calc', '"""&calc"'],
  ['\\"', '"\\\\"""'],
  ['C:\\', '"C:\\\\"'],
  ['a b\\', '"a b\\\\"'],
  ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['!PATH!^', '"!PATH!^"'],
])('batchLine writes the argument %s as %s', (arg, written) => {
  expect(batchLine('C:\\my tools\\npm.cmd', [arg])).toBe(`""C:\\my tools\\npm.cmd" ${written}"`)
})

test('batchLine escapes a percent sign in the path of the batch file', () => {
  expect(batchLine('C:\\100%PATH%\\run.cmd', [])).toBe('""C:\\100%%cd:~,%PATH%%cd:~,%\\run.cmd""')
})

test.each(['\n', '\r', '\0'])('batchLine refuses an argument that contains %j', (character) => {
  expect(() => batchLine('C:\\run.cmd', [`a${character}calc`])).toThrow(/line break/)
})

test('batchLine refuses a command line that is too long for cmd.exe', () => {
  expect(() => batchLine('C:\\run.cmd', ['x'.repeat(8200)])).toThrow(/8191/)
})

const PIECES = ['"', '%', '^', '&', '|', '<', '>', '!', '\\', ' ', '\t', ',', ';', '=', '(', ')', '@', 'a', 'PATH', 'ü']

/** Expands variables as cmd.exe does if only `cd` is set: `%cd:~,%` becomes empty, and other names are unchanged. */
function expanded(line: string): string {
  return line.replace(/%cd:~,%/g, '')
}

/** Removes the parts of a line that cmd.exe treats as quoted. cmd.exe could run anything in the rest. */
function partsOutsideQuotes(line: string): string {
  return line.replace(/"[^"]*"/g, '')
}

/** Splits a command line as programs built with Microsoft's compiler do. */
function argumentsOf(line: string): string[] {
  const all = ['']
  let isQuoted = false
  for (let rest = line; rest !== ''; ) {
    const [, slashes = '', quote = ''] = /^(\\*)("?)/.exec(rest) ?? []
    let text = quote ? slashes.slice(slashes.length / 2) : slashes
    let length = slashes.length + quote.length
    if (quote && slashes.length % 2 === 1) text += '"'
    else if (isQuoted && rest.startsWith('""', slashes.length)) {
      text += '"'
      length++
    } else if (quote) isQuoted = !isQuoted
    else if (length === 0) {
      text = rest.charAt(0)
      length = 1
    }
    if (text === ' ' && !isQuoted) all.push('')
    else all.push((all.pop() ?? '') + text)
    rest = rest.slice(length)
  }
  return all
}

test('batchLine quotes all special characters, so that any arguments arrive unchanged', () => {
  const argument = array(constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => pieces.join(''))
  check(
    property(array(argument, { maxLength: 5 }), (args) => {
      const line = expanded(batchLine('C:\\run.cmd', args)).slice(1, -1)
      expect(partsOutsideQuotes(line)).toMatch(/^[\w#$*+./:@\\\s-]*$/)
      expect(argumentsOf(line)).toEqual(['C:\\run.cmd', ...args])
    }),
  )
  check(
    property(string({ unit: 'binary', maxLength: 40 }), (arg) => {
      if (/[\r\n\0]/.test(arg)) return
      expect(argumentsOf(expanded(batchLine('C:\\run.cmd', [arg])).slice(1, -1))).toEqual(['C:\\run.cmd', arg])
    }),
  )
})
