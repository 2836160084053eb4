/** The rows of `partner doctor` that a check can select. A test compares them with the doctor's sections. */
export const DOCTOR_ROWS = [
  ...['node', 'data directory', 'disk', 'pace file'],
  ...['configuration', 'links', 'profile', 'modes', 'secrets'],
  ...['proxy', 'dns', 'tcp', 'tls'],
  ...['service', 'clock', 'rate limit', 'key', 'venue', 'statuses', 'webhooks', 'signing'],
  ...['operations', 'ledger', 'sync', 'growth'],
] as const
