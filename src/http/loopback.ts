/** True for names of this machine: 127.0.0.0/8, `::1` and `localhost`, bare or as in a URL. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname)
}
