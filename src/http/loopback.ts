/**
 * True for the names that only this machine answers to: 127.0.0.0/8, `::1` and `localhost`, as a URL writes them or bare.
 * Plain HTTP, and the control of a running sandbox, are for these alone.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname)
}
