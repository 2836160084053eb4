import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** True when this machine lets a test have a disk of its own: it must be root, and allowed to mount. */
export function canMount(): boolean {
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

/** A directory that is a disk of so many KiB, gone after the test. */
export function smallDisk(kib: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-disk-'))
  mount(directory, kib)
  onTestFinished(() => {
    unmount(directory)
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

function mount(directory: string, kib: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'partner-test', directory], {
    stdio: 'ignore',
    timeout: 5000,
  })
}

function unmount(directory: string): void {
  execFileSync('umount', ['-l', directory], { stdio: 'ignore', timeout: 5000 })
}
