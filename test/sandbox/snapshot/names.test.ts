import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { resolveSavePath, savedSnapshotPath } from '../../../src/sandbox/snapshot/names.ts'

test.each(['', '.', '..', '.hidden', '-x', 'a b', 'a\\b', 'é', 'a\0b', 'a\nb', 'x'.repeat(65)])(
  'a snapshot cannot have the name %j',
  (name) => expect(() => savedSnapshotPath(name, 'saved')).toThrow('a snapshot cannot be named'),
)

test.each(['a', 'A-1_b.2', '_', 'x'.repeat(64), 'con..fused'])('a snapshot can have the name %j', (name) =>
  expect(resolveSavePath(name, 'saved')).toEqual({ name, file: join('saved', `${name}.snapshot`) }),
)

test('a name that contains a slash or ends in .snapshot is treated as a path, and the snapshot is named after the file', () => {
  expect(resolveSavePath('x.snapshot', 'saved')).toEqual({ name: 'x', file: resolve('x.snapshot') })
  expect(resolveSavePath('../empty', 'saved')).toEqual({ name: 'empty', file: resolve('../empty') })
})
