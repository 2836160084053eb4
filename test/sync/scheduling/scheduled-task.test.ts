import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taskOf } from '../../../src/sync/scheduling/scheduled-task.ts'
import { needs } from '../../support/needs.ts'
import { argumentsIn, schemaErrors, startedBy, XMLLINT } from '../../support/windows-task.ts'

const PROGRAM = 'C:\\Program Files\\partner\\lib\\node.exe'
const PARTS = {
  name: 'partner-bookings-city',
  description: 'Copy of the bookings of Müller & Söhne',
  words: [PROGRAM, 'C:\\Program Files\\partner\\run.js', 'bookings', 'sync', '--to', 'C:\\Users\\Jürgen\\venue.db'],
  environment: {},
  user: 'TILL\\Jürgen',
  keyVariable: null,
  everyMs: 300_000,
  startMs: Date.UTC(2026, 10, 20, 18, 0, 30, 500),
}
const VARIABLES = { PARTNER_CONFIG_DIR: 'D:\\Köche & Co\\config', PGPASSFILE: 'C:\\50%\\pgpass.conf' }

describe('XML of a scheduled task', () => {
  needs(XMLLINT)

  test.each([
    ['without variables', PARTS],
    ['with variables', { ...PARTS, environment: VARIABLES, keyVariable: 'CITY_KEY' }],
    ['for the account that installs it', { ...PARTS, user: null }],
    ['for a day', { ...PARTS, everyMs: 86_400_000 }],
    ['for the longest interval', { ...PARTS, everyMs: 31 * 86_400_000 }],
    ['for an interval that is not a whole number of minutes', { ...PARTS, everyMs: 90_000 }],
  ])('a task %s conforms to the schema of the Task Scheduler', async (_, parts) => {
    expect(await schemaErrors(taskOf(parts).text)).toBe('')
  })

  test('a task remains valid if it is redirected to a file in Windows PowerShell, which writes UTF-16', async () => {
    const saved = `\ufeff${taskOf(PARTS).text.replaceAll('\n', '\r\n')}`
    expect(await schemaErrors(Buffer.from(saved, 'utf16le'))).toBe('')
  })

  test.each([
    ['an interval of 30 seconds', 'PT5M', 'PT30S'],
    ['an unknown setting', 'StartWhenAvailable>', 'StartWhenever>'],
    ['a random delay before the start', '<StartBoundary>', '<RandomDelay>PT1S</RandomDelay><StartBoundary>'],
    ['an unknown principal', 'Context="Author"', 'Context="Nobody"'],
    ['a task without a command', /<Command>.*<.Command>/, ''],
  ])('the schema rejects %s', async (_, before, after) => {
    const { text } = taskOf(PARTS)
    const spoiled = typeof before === 'string' ? text.replaceAll(before, after) : text.replace(before, after)
    expect(spoiled).not.toBe(text)
    expect(await schemaErrors(spoiled)).not.toBe('')
  })
})

test.each([
  [60_000, 'PT1M', 'PT6S'],
  [90_000, 'PT1M30S', 'PT9S'],
  [300_000, 'PT5M', 'PT30S'],
  [5_400_000, 'PT1H30M', 'PT9M'],
  [86_400_000, 'P1D', 'PT2H24M'],
])('a task for every %i ms has the interval %s and a random delay of %s', (everyMs, interval, delay) => {
  const { text } = taskOf({ ...PARTS, everyMs })
  expect(text).toContain(`<Interval>${interval}</Interval>`)
  expect(text).toContain(`<RandomDelay>${delay}</RandomDelay>`)
  expect(text).toContain('<StartBoundary>2026-11-20T18:00:30Z</StartBoundary>')
})

test.each([
  ['MultipleInstancesPolicy', 'IgnoreNew'],
  ['StartWhenAvailable', 'true'],
  ['DisallowStartIfOnBatteries', 'false'],
  ['StopIfGoingOnBatteries', 'false'],
  ['ExecutionTimeLimit', 'P1D'],
  ['LogonType', 'InteractiveToken'],
  ['RunLevel', 'LeastPrivilege'],
  ['UserId', 'TILL\\J&#252;rgen'],
])('a task has the setting %s: %s', (name, value) => {
  expect(taskOf(PARTS).text).toContain(`<${name}>${value}</${name}>`)
})

test('a task file contains its own install command and names the variable from which the profile reads its key', () => {
  const { name, install, text } = taskOf({ ...PARTS, keyVariable: 'CITY_KEY' })
  expect(name).toBe('partner-bookings-city')
  expect(install).toBe('schtasks /create /tn partner-bookings-city /xml partner-bookings-city.xml')
  expect(text).toContain(`\n    ${install}\n`)
  expect(text).toContain('The profile reads its key from CITY_KEY')
  expect(taskOf(PARTS).text).not.toContain('CITY_KEY')
})

/** Words that contain characters or names with a special meaning in Task Scheduler, cmd.exe or other programs. */
const HOSTILE = fc
  .array(
    fc.constantFrom(...'ab "\\%$&|<>^!()\'`,;:=@*?~\tü', '🍽', 'TEMP', '%TEMP%', '%TEMP:', '$(Arg0)', '\\"', '\\\\'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
const ANY = fc.string({ unit: 'binary' }).filter((text) => !/[\u0000-\u001f\u007f\ufffe\uffff]/.test(text))
const WORD = fc.oneof(HOSTILE, ANY)
const VALUE = WORD.filter((text) => text !== '')

describe('command line of a scheduled task', () => {
  test('the program receives every argument unchanged', () => {
    fc.assert(
      fc.property(fc.array(WORD), (args) => {
        const { text } = taskOf({ ...PARTS, words: [PROGRAM, ...args] })
        expect(text).toMatch(/^[\n -~]+$/)
        expect(startedBy(text)).toEqual({ program: PROGRAM, args, environment: {} })
      }),
      { numRuns: 2000 },
    )
  })

  test('the program receives every argument and variable unchanged if cmd.exe sets the variables', () => {
    fc.assert(
      fc.property(fc.array(WORD), VALUE, VALUE, (args, first, second) => {
        const environment = { PARTNER_DATA_DIR: first, PGPASSFILE: second }
        const { text } = taskOf({ ...PARTS, words: [PROGRAM, ...args], environment })
        expect(text).toMatch(/^[\n -~]+$/)
        expect(startedBy(text)).toEqual({ program: PROGRAM, args, environment })
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['C:\\venue.db', 'C:\\venue.db'],
    ['C:\\my copy.db', '"C:\\my copy.db"'],
    ['C:\\my copy\\', '"C:\\my copy\\\\"'],
    ['a"b', '"a\\"b"'],
    ['50%.db', '"50"%".db"'],
    ['%TEMP%', '%"TEMP"%'],
    ['$(Arg0)', '$"(Arg0)"'],
    ['', '""'],
  ])('the argument %j is written as %s', (word, written) => {
    expect(taskOf({ ...PARTS, words: [PROGRAM, word] }).text).toContain(`<Arguments>${written}</Arguments>`)
  })

  // The examples are from "Parsing C command-line arguments" in Microsoft's documentation.
  test.each([
    ['"abc" d e', ['abc', 'd', 'e']],
    ['a\\\\b d"e f"g h', ['a\\\\b', 'de fg', 'h']],
    ['a\\\\\\"b c d', ['a\\"b', 'c', 'd']],
    ['a\\\\\\\\"b c" d e', ['a\\\\b c', 'd', 'e']],
  ])('the parser of these tests splits %s as documented', (line, args) => {
    expect(argumentsIn(line)).toEqual(args)
  })

  test.each(['C:\\%TEMP%\\node.exe', 'C:\\a"b\\node.exe', `C:\\${'long\\'.repeat(60)}node.exe`])(
    'taskOf refuses the program %s, which Task Scheduler cannot start',
    (program) => {
      expect(() => taskOf({ ...PARTS, words: [program] })).toThrow('Task Scheduler cannot start')
    },
  )
})

test.each([
  ['a path', { words: [PROGRAM, '--to', 'C:\\a\nb.db'] }],
  ['a variable', { environment: { PGPASSFILE: 'C:\\a\rb' } }],
  ['the name of the source', { description: 'Copy of the bookings of city\u0000' }],
  ['the user', { user: 'TILL\\\u0007' }],
  ['a path that is not valid Unicode', { words: [PROGRAM, 'C:\\\ud800.db'] }],
])('taskOf rejects a control character in %s', (_, wrong) => {
  expect(() => taskOf({ ...PARTS, ...wrong })).toThrow(/has a control character/)
})
