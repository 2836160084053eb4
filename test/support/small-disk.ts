import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { LIMIT_MS } from './limit.ts'
import type { Need } from './needs.ts'

/** The requirement that tests may mount a small disk, which they then fill. */
export const SMALL_DISK: Need = { isMet: canMount(), lack: 'only root may mount a small disk' }

export const FULL_DEVICE: Need = { isMet: existsSync('/dev/full'), lack: 'there is no /dev/full' }

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const directory = mkdtempSync(join(tmpdir(), 'partner-disk-'))
  try {
    mount(directory, 64)
    unmount(directory)
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Mounts a disk with the given size in KiB and returns its directory. The disk is unmounted after the test. */
export function mountSmallDisk(kib: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-disk-'))
  mount(directory, kib)
  onTestFinished(() => {
    unmount(directory)
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

function mount(directory: string, kib: number): void {
  const args = ['-t', 'tmpfs', '-o', `size=${kib}k`, 'partner-test', directory]
  execFileSync('mount', args, { stdio: 'ignore', timeout: LIMIT_MS })
}

function unmount(directory: string): void {
  execFileSync('umount', ['-l', directory], { stdio: 'ignore', timeout: LIMIT_MS })
}
