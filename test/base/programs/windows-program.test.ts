import { expect, test } from 'vitest'
import { findWindowsProgram, readVariable } from '../../../src/base/programs/windows-program.ts'

const CWD = 'C:\\till'
const ENV = { Path: '"C:\\Program Files\\nodejs";;C:\\tools', PATHEXT: '.COM;.EXE;.BAT;.CMD;.PY' }

/** Calls `findWindowsProgram` with a simulated file system that contains only these files. */
function find(name: string, files: readonly string[], env: Readonly<Record<string, string>> = ENV) {
  const lower = files.map((file) => file.toLowerCase())
  return findWindowsProgram(name, env, CWD, (path) => lower.includes(path.toLowerCase()))
}

const NPM = 'C:\\Program Files\\nodejs\\npm.cmd'

test.each([
  ['node', ['C:\\Program Files\\nodejs\\node.exe'], 'C:\\Program Files\\nodejs\\node.exe'],
  ['npm', ['C:\\Program Files\\nodejs\\npm', NPM], NPM],
  ['NPM.CMD', [NPM], 'C:\\Program Files\\nodejs\\NPM.CMD'],
  ['tool', ['C:\\tools\\tool.cmd', 'C:\\tools\\tool.exe'], 'C:\\tools\\tool.exe'],
  ['report', ['C:\\tools\\report.py'], 'C:\\tools\\report.py'],
  ['a.b', ['C:\\tools\\a.b.exe'], 'C:\\tools\\a.b.exe'],
])('findWindowsProgram finds %s in PATH as cmd.exe does', (name, files, path) => expect(find(name, files)).toBe(path))

test.each([
  ['.\\deploy', ['C:\\till\\deploy.bat'], 'C:\\till\\deploy.bat'],
  ['bin/deploy.cmd', ['C:\\till\\bin\\deploy.cmd'], 'C:\\till\\bin\\deploy.cmd'],
  ['..\\deploy', ['C:\\deploy.exe'], 'C:\\deploy.exe'],
  ['D:\\x y\\deploy', ['D:\\x y\\deploy.exe'], 'D:\\x y\\deploy.exe'],
  ['\\\\host\\share\\deploy', ['\\\\host\\share\\deploy.exe'], '\\\\host\\share\\deploy.exe'],
])('findWindowsProgram finds %s by its path', (name, files, path) => expect(find(name, files)).toBe(path))

test.each([
  ['a program in the current directory, without a path', 'npm', ['C:\\till\\npm.cmd', 'C:\\till\\npm.exe']],
  ['a file without the extension of a program', 'npm', ['C:\\tools\\npm']],
  ['a file with an unknown extension', 'notes.txt', ['C:\\tools\\notes.txt']],
  ['a batch file whose name ends with a dot', 'deploy.cmd.', ['C:\\tools\\deploy.cmd']],
  ['a batch file whose name ends with a space', 'deploy.cmd ', ['C:\\tools\\deploy.cmd']],
])('findWindowsProgram does not find %s', (_what, name, files) => expect(find(name, files)).toBeNull())

test('findWindowsProgram uses default extensions if PATHEXT is not set, and accepts only paths if PATH is not set', () => {
  expect(find('npm', ['C:\\tools\\npm.cmd'], { PATH: 'C:\\tools' })).toBe('C:\\tools\\npm.cmd')
  expect(find('npm', ['C:\\tools\\npm.cmd'], {})).toBeNull()
  expect(find('..\\tools\\npm.cmd', ['C:\\tools\\npm.cmd'], { PATHEXT: '.EXE' })).toBe('C:\\tools\\npm.cmd')
})

test('readVariable chooses the same variable as Node if several differ only in case', () => {
  expect(readVariable({ Path: 'b', PATH: 'a', path: 'c' }, 'PATH')).toBe('a')
  expect(readVariable({ HOME: 'x' }, 'PATH')).toBeUndefined()
})
