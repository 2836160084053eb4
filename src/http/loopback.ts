/**
 * True for names that only this machine answers to: 127.0.0.0/8, `::1` and `localhost`, bare or as a URL writes them.
 * Plain HTTP and the control of a running sandbox are limited to these.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname)
}
