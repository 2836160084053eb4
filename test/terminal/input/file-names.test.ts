import { expect, test } from 'vitest'
import { checkFileNames } from '../../../src/terminal/input/values/file-names.ts'
import { failureOf } from '../../support/failure.ts'

const DEFINITIONS = {
  to: { helpValue: 'TARGET' },
  har: { helpValue: 'FILE' },
  data: { helpValue: 'DIR|:memory:' },
  'base-url': { helpValue: 'URL' },
  yes: {},
}

test('checkFileNames reports every name that Windows would interpret or change', () => {
  const flags = { to: 'con.db', har: ['a.har', 'venue.har:x'], data: 'C:\\till.', 'base-url': 'con', yes: true }
  const given = { args: { file: 'NUL', id: 'AUX' }, flags }
  expect(failureOf(() => checkFileNames(DEFINITIONS, given, 'win32'))).toMatchObject({
    code: 'USAGE',
    lines: [
      'FILE: NUL is a device on Windows',
      '--to: con.db is a device on Windows',
      '--har: venue.har:x has a colon and so names a stream of another file on Windows',
      '--data: C:\\till. contains "till.", which ends in a dot or space, which Windows removes',
    ],
  })
  expect(() => checkFileNames(DEFINITIONS, given, 'linux')).not.toThrow()
})

test.each([
  '-',
  ':memory:',
  'postgres://ann@db/aux',
  'https://till.example/copy?x',
  'C:\\till\\venue.db',
  'c:venue.db',
  '\\\\server\\share\\venue.db',
  'C:/Übung 1/venue.db',
])('checkFileNames accepts %s on Windows', (to) => {
  expect(() => checkFileNames(DEFINITIONS, { args: {}, flags: { to, data: to } }, 'win32')).not.toThrow()
})
