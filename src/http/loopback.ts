/**
 * Returns whether a host is this machine: an address in 127.0.0.0/8, `localhost`, or `::1` with or without brackets.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname)
}
