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

describe('directories follow the platform', () => {
  test('Linux uses the XDG directories', () => {
    const env = { HOME: '/home/ann', XDG_CONFIG_HOME: '/xdg/config', XDG_DATA_HOME: '/xdg/data' }
    expect(configDirectory(env, 'linux')).toBe('/xdg/config/partner')
    expect(dataDirectory(env, 'linux')).toBe('/xdg/data/partner')
    expect(cacheDirectory(env, 'linux')).toBe('/home/ann/.cache/partner')
  })

  test('Linux without XDG variables uses the home directory', () => {
    expect(configDirectory({ HOME: '/home/ann' }, 'linux')).toBe('/home/ann/.config/partner')
    expect(dataDirectory({ HOME: '/home/ann' }, 'linux')).toBe('/home/ann/.local/share/partner')
  })

  test('macOS uses Library', () => {
    expect(configDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe('/Users/ann/Library/Preferences/partner')
    expect(dataDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe('/Users/ann/Library/Application Support/partner')
    expect(cacheDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe('/Users/ann/Library/Caches/partner')
  })

  test('Windows uses APPDATA and LOCALAPPDATA, and the profile directory without them', () => {
    const env = { APPDATA: 'C:\\Users\\ann\\Roam', LOCALAPPDATA: 'D:\\local' }
    expect(configDirectory(env, 'win32')).toBe('C:\\Users\\ann\\Roam\\partner\\Config')
    expect(dataDirectory(env, 'win32')).toBe('D:\\local\\partner\\Data')
    const bare = { USERPROFILE: 'C:\\Users\\ann' }
    expect(cacheDirectory(bare, 'win32')).toBe('C:\\Users\\ann\\AppData\\Local\\partner\\Cache')
  })

  test('the PARTNER variables win over everything', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/x', PARTNER_CONFIG_DIR: '/c/', PARTNER_DATA_DIR: '/d/../e' }
    expect(configDirectory(env, 'linux')).toBe('/c/')
    expect(dataDirectory(env, 'linux')).toBe('/e')
    expect(cacheDirectory({ PARTNER_CACHE_DIR: '/k' }, 'darwin')).toBe('/k')
  })

  test('an empty variable counts as not set, and a relative XDG one is ignored', () => {
    const env = { HOME: '/home/ann', PARTNER_CONFIG_DIR: '', XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '' }
    expect(configDirectory(env, 'linux')).toBe('/home/ann/.config/partner')
    expect(dataDirectory(env, 'linux')).toBe('/home/ann/.local/share/partner')
  })

  test.each(['cfg', './cfg', '~/cfg', '..'])(
    'a PARTNER_CONFIG_DIR of %s is refused, as it would depend on where the command runs',
    (path) => {
      const work = () => configDirectory({ HOME: '/h', PARTNER_CONFIG_DIR: path }, 'linux')
      expect(work).toThrow(/PARTNER_CONFIG_DIR must be an absolute path/)
      expect(work).toThrow(expect.objectContaining({ code: 'USAGE' }))
    },
  )

  test("the empty environment of cron finds the user's home directory", () => {
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

describe('a private directory', () => {
  let root: string
  beforeEach(() => {
    root = freshDirectory()
  })
  const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8)

  test('is made with mode 0700, and so are its missing parents', () => {
    expect(ensurePrivateDirectory(join(root, 'a/b'))).toBeNull()
    expect([mode(join(root, 'a')), mode(join(root, 'a/b'))]).toEqual(['700', '700'])
  })

  test.each([0o000, 0o277])('is made with mode 0700 under the umask %o too', (umask) => {
    const before = process.umask(umask)
    try {
      expect(ensurePrivateDirectory(join(root, 'new'))).toBeNull()
    } finally {
      process.umask(before)
    }
    expect(mode(join(root, 'new'))).toBe('700')
  })

  test('is changed to mode 0700 if it is more open', () => {
    const path = join(root, 'loose')
    mkdirSync(path)
    chmodSync(path, 0o775)
    expect(ensurePrivateDirectory(path)).toBeNull()
    expect(mode(path)).toBe('700')
  })

  test('keeps a mode that is stricter than 0700', () => {
    const path = join(root, 'tight')
    mkdirSync(path, { mode: 0o500 })
    expect(ensurePrivateDirectory(path)).toBeNull()
    expect(mode(path)).toBe('500')
  })

  test('is left unchanged, with a warning, if it is shared like /tmp', () => {
    const path = join(root, 'shared')
    mkdirSync(path)
    chmodSync(path, 0o1777)
    expect(ensurePrivateDirectory(path)).toContain('other users may enter')
    expect(mode(path)).toBe('1777')
    const before = mode('/usr')
    expect(ensurePrivateDirectory('/usr')).toContain("is not partner's own")
    expect(mode('/usr')).toBe(before)
  })

  test('may be a link to a directory', () => {
    mkdirSync(join(root, 'real'))
    symlinkSync(join(root, 'real'), join(root, 'link'))
    expect(ensurePrivateDirectory(join(root, 'link'))).toBeNull()
    expect(mode(join(root, 'real'))).toBe('700')
  })

  test.each(['file', 'file/below'])('is refused in plain words where a file is in the way: %s', (name) => {
    writeFileSync(join(root, 'file'), '')
    const work = () => ensurePrivateDirectory(join(root, name))
    expect(work).toThrow(Failure)
    expect(work).toThrow(/a file is in the way/)
  })

  test('fails with the reason if it cannot be made', () =>
    expect(() => ensurePrivateDirectory('/proc/partner/config')).toThrow(/cannot make the directory .*ENOENT/))
})
