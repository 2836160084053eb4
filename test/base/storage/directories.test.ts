import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import {
  cacheDirectory,
  configDirectory,
  dataDirectory,
  ensurePrivateDirectory,
  homeDirectory,
} from '../../../src/base/storage/directories.ts'
import { freshDirectory } from '../../support/partner.ts'

describe('default directories by platform', () => {
  test('the default directories on Linux are inside the XDG directories', () => {
    const env = { HOME: '/home/ann', XDG_CONFIG_HOME: '/xdg/config', XDG_DATA_HOME: '/xdg/data' }
    expect(configDirectory(env, 'linux')).toBe('/xdg/config/partner')
    expect(dataDirectory(env, 'linux')).toBe('/xdg/data/partner')
    expect(cacheDirectory(env, 'linux')).toBe('/home/ann/.cache/partner')
  })

  test('the default directories on Linux are inside the home directory if no XDG variables are set', () => {
    expect(configDirectory({ HOME: '/home/ann' }, 'linux')).toBe('/home/ann/.config/partner')
    expect(dataDirectory({ HOME: '/home/ann' }, 'linux')).toBe('/home/ann/.local/share/partner')
  })

  test('the default directories on macOS are in ~/Library', () => {
    expect(configDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe('/Users/ann/Library/Preferences/partner')
    expect(dataDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe('/Users/ann/Library/Application Support/partner')
    expect(cacheDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe('/Users/ann/Library/Caches/partner')
  })

  test('the default directories on Windows are inside APPDATA and LOCALAPPDATA, or inside USERPROFILE if those are unset', () => {
    const env = { APPDATA: 'C:\\Users\\ann\\Roam', LOCALAPPDATA: 'D:\\local' }
    expect(configDirectory(env, 'win32')).toBe('C:\\Users\\ann\\Roam\\partner\\Config')
    expect(dataDirectory(env, 'win32')).toBe('D:\\local\\partner\\Data')
    const bare = { USERPROFILE: 'C:\\Users\\ann' }
    expect(cacheDirectory(bare, 'win32')).toBe('C:\\Users\\ann\\AppData\\Local\\partner\\Cache')
  })

  test('dataDirectory normalizes a Windows path and accepts network paths and long paths', () => {
    // The path includes a drive, because systems other than Windows have no current drive.
    expect(dataDirectory({ PARTNER_DATA_DIR: 'c:/till/../x y/' }, 'win32')).toBe('c:\\x y')
    for (const path of ['\\\\server\\share\\till', '\\\\?\\C:\\till', `C:\\${'ü'.repeat(300)}`])
      expect(dataDirectory({ PARTNER_DATA_DIR: path }, 'win32')).toBe(path)
  })

  test.each(['C:till', 'till', '.\\till', '~\\till'])(
    'dataDirectory refuses the path %s on Windows, which depends on the current directory',
    (path) => {
      const work = () => dataDirectory({ USERPROFILE: 'C:\\h', PARTNER_DATA_DIR: path }, 'win32')
      expect(work).toThrow(/PARTNER_DATA_DIR must be an absolute path/)
    },
  )

  test.each([
    ['C:\\aux', 'contains "aux", which is a device on Windows'],
    ['C:\\till.', 'contains "till.", which ends in a dot or space, which Windows removes'],
  ])('dataDirectory refuses %s on Windows', (path, problem) => {
    const work = () => dataDirectory({ PARTNER_DATA_DIR: path }, 'win32')
    expect(work).toThrow(`PARTNER_DATA_DIR: ${path} ${problem}`)
    expect(dataDirectory({ PARTNER_DATA_DIR: `/${path}` }, 'linux')).toBe(`/${path}`)
  })

  test('the PARTNER_*_DIR variables override all other directory settings', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/x', PARTNER_CONFIG_DIR: '/c/', PARTNER_DATA_DIR: '/d/../e' }
    expect(configDirectory(env, 'linux')).toBe('/c/')
    expect(dataDirectory(env, 'linux')).toBe('/e')
    expect(cacheDirectory({ PARTNER_CACHE_DIR: '/k' }, 'darwin')).toBe('/k')
  })

  test('empty directory variables, and XDG variables with relative paths, are ignored', () => {
    const env = { HOME: '/home/ann', PARTNER_CONFIG_DIR: '', XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '' }
    expect(configDirectory(env, 'linux')).toBe('/home/ann/.config/partner')
    expect(dataDirectory(env, 'linux')).toBe('/home/ann/.local/share/partner')
  })

  test.each(['cfg', './cfg', '~/cfg', '..'])(
    'configDirectory refuses the relative path %s in PARTNER_CONFIG_DIR',
    (path) => {
      const work = () => configDirectory({ HOME: '/h', PARTNER_CONFIG_DIR: path }, 'linux')
      expect(work).toThrow(/PARTNER_CONFIG_DIR must be an absolute path/)
      expect(work).toThrow(expect.objectContaining({ code: 'USAGE' }))
    },
  )

  test("homeDirectory finds the home directory even in cron's empty environment", () => {
    expect(homeDirectory({})).toMatch(/^\//)
    const home = process.env['HOME']
    try {
      process.env['HOME'] = ''
      expect(homeDirectory({ HOME: '' })).toBe(userInfo().homedir)
    } finally {
      process.env['HOME'] = home
    }
  })
})

describe('ensurePrivateDirectory', () => {
  let root: string
  beforeEach(() => {
    root = freshDirectory()
  })
  const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8)

  test('ensurePrivateDirectory creates a directory and its missing parents with mode 0700', () => {
    expect(ensurePrivateDirectory(join(root, 'a/b'))).toBeNull()
    expect([mode(join(root, 'a')), mode(join(root, 'a/b'))]).toEqual(['700', '700'])
  })

  test.each([0o000, 0o277])(
    'ensurePrivateDirectory creates a directory with mode 0700 despite the umask %o',
    (umask) => {
      const before = process.umask(umask)
      try {
        expect(ensurePrivateDirectory(join(root, 'new'))).toBeNull()
      } finally {
        process.umask(before)
      }
      expect(mode(join(root, 'new'))).toBe('700')
    },
  )

  test('ensurePrivateDirectory changes a more permissive mode to 0700', () => {
    const path = join(root, 'loose')
    mkdirSync(path)
    chmodSync(path, 0o775)
    expect(ensurePrivateDirectory(path)).toBeNull()
    expect(mode(path)).toBe('700')
  })

  test('ensurePrivateDirectory keeps a mode that is stricter than 0700', () => {
    const path = join(root, 'tight')
    mkdirSync(path, { mode: 0o500 })
    expect(ensurePrivateDirectory(path)).toBeNull()
    expect(mode(path)).toBe('500')
  })

  test('ensurePrivateDirectory leaves a shared directory such as /tmp unchanged and returns a warning', () => {
    const path = join(root, 'shared')
    mkdirSync(path)
    chmodSync(path, 0o1777)
    expect(ensurePrivateDirectory(path)).toContain('other users can access')
    expect(mode(path)).toBe('1777')
    const before = mode('/usr')
    expect(ensurePrivateDirectory('/usr')).toContain("is not partner's own")
    expect(mode('/usr')).toBe(before)
  })

  test('ensurePrivateDirectory accepts a link to a directory', () => {
    mkdirSync(join(root, 'real'))
    symlinkSync(join(root, 'real'), join(root, 'link'))
    expect(ensurePrivateDirectory(join(root, 'link'))).toBeNull()
    expect(mode(join(root, 'real'))).toBe('700')
  })

  test.each(['file', 'file/below'])('ensurePrivateDirectory refuses %j if part of the path is a file', (name) => {
    writeFileSync(join(root, 'file'), '')
    const work = () => ensurePrivateDirectory(join(root, name))
    expect(work).toThrow(Failure)
    expect(work).toThrow(/a file is in the way/)
  })

  test('ensurePrivateDirectory reports why it cannot create a directory', () =>
    expect(() => ensurePrivateDirectory('/proc/partner/config')).toThrow(/cannot create the directory .*ENOENT/))
})
