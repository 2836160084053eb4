/** Other names that commands keep, by their words, and the command that each of them runs. Help and completion do not list them. */
export const ALIASES: Readonly<Record<string, string>> = { 'bookings explain': 'reservations explain' }
