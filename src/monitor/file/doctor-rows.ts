/** The rows of `partner doctor` that a check can name. A test compares them with the sections of the doctor. */
export const DOCTOR_ROWS = [
  ...['node', 'data directory', 'disk', 'pace file'],
  ...['configuration', 'links', 'profile', 'modes', 'secrets'],
  ...['proxy', 'dns', 'tcp', 'tls'],
  ...['service', 'clock', 'rate limit', 'key', 'venue', 'statuses', 'webhooks', 'signing'],
  ...['operations', 'ledger', 'sync', 'growth'],
] as const
