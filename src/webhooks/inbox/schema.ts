import type { Schema } from '../../sync/postgres/schema.ts'

export const STATES = ['waiting', 'leased', 'done', 'dead'] as const

/** An event's state. A `waiting` event waits for its first or next attempt. A `dead` event has no attempts left. */
export type InboxState = (typeof STATES)[number]

/** The maximum number of duplicates whose times and headers a row stores. Older ones are dropped. */
export const MAX_REPEATS = 200

/**
 * The maximum length of indexed text. This many characters fit into an index entry, even in scripts with multibyte
 * characters.
 */
export const MAX_INDEXED_CHARACTERS = 500

/** The channel that a listener uses to notify others that it has stored deliveries. */
export const INBOX_CHANNEL = 'partner_inbox'

/**
 * The schema of the `inbox` table, which has one row per event. It is versioned separately from the tables of copies.
 */
export const INBOX: Schema = {
  product: 'partner inbox',
  steps: [
    () => [
      `CREATE TABLE inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event text,
  kind text,
  subject text,
  location_id text,
  body bytea NOT NULL,
  body_hash bytea NOT NULL,
  headers jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  last_received_at timestamptz NOT NULL,
  times integer NOT NULL,
  repeats jsonb NOT NULL,
  verdict text NOT NULL,
  state text NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')})),
  came_again boolean NOT NULL,
  attempts integer NOT NULL,
  next_at timestamptz NOT NULL,
  lease_until timestamptz,
  lease_holder text,
  lease_epoch integer NOT NULL,
  last_error text,
  done_at timestamptz
)`,
      'CREATE INDEX inbox_by_body ON inbox (body_hash, last_received_at)',
      'CREATE INDEX inbox_by_subject ON inbox (subject, kind)',
      `CREATE INDEX inbox_open ON inbox (id) WHERE state IN ('waiting', 'leased')`,
      `CREATE INDEX inbox_leased ON inbox (subject, kind) WHERE state = 'leased'`,
    ],
  ],
}
