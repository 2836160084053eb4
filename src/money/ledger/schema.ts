import type { Address } from '../../postgres/address.ts'

/** The PostgreSQL schema that contains the ledger. */
export const LEDGER = 'partner_ledger'

/** The format of the tables that this release writes. */
export const FORMAT = 2

/** The database's current time in epoch milliseconds. The ledger uses no other clock. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Stands for a missing amount in the unique index, which would treat NULLs as distinct. No amount has this value. */
const NO_CENTS = '-9223372036854775808'

/**
 * The statements that create the ledger. A later format may add to the tables as long as all formats from `oldest` on
 * can still use them, so that machines can be upgraded one at a time. The unique index lets only one machine claim a
 * write. The sequence increases by 1000, which leaves room for each machine's local steps.
 */
export const CREATE_LEDGER = `
  BEGIN;
  SELECT pg_advisory_xact_lock(hashtext('${LEDGER}'));
  CREATE SCHEMA IF NOT EXISTS ${LEDGER};
  CREATE TABLE IF NOT EXISTS ${LEDGER}.version (format integer NOT NULL, oldest integer NOT NULL);
  INSERT INTO ${LEDGER}.version SELECT ${FORMAT}, 1 WHERE NOT EXISTS (SELECT FROM ${LEDGER}.version);
  CREATE SEQUENCE IF NOT EXISTS ${LEDGER}.steps START 1000000000000 INCREMENT 1000;
  CREATE TABLE IF NOT EXISTS ${LEDGER}.operations (
    id text PRIMARY KEY, service text NOT NULL, command text NOT NULL, target text NOT NULL, cents bigint, profile text,
    state text NOT NULL CHECK (state IN ('open', 'done', 'applied', 'not-applied')), phase text NOT NULL,
    forced boolean NOT NULL, host text NOT NULL, pid integer NOT NULL, run text NOT NULL, epoch integer NOT NULL, attempt_ms bigint NOT NULL,
    claimed_ms bigint NOT NULL, first_sent_ms bigint, sent_ms bigint, over_ms bigint, ended_ms bigint,
    before text, how text, claimed_step bigint NOT NULL, sent_step bigint, ended_step bigint
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_open ON ${LEDGER}.operations (service, command, target, coalesce(cents, ${NO_CENTS}))
    WHERE state = 'open' AND NOT forced;
  CREATE INDEX IF NOT EXISTS on_target ON ${LEDGER}.operations (service, target);
  CREATE TABLE IF NOT EXISTS ${LEDGER}.keys (
    service text, key text, fingerprint text NOT NULL, command text NOT NULL, target text NOT NULL, amount text,
    profile text, operation text NOT NULL, started_ms bigint NOT NULL, receipt text,
    state text NOT NULL CHECK (state IN ('open', 'done', 'free')), how text, ended_ms bigint, counted bigint,
    PRIMARY KEY (service, key)
  );
  CREATE INDEX IF NOT EXISTS by_operation ON ${LEDGER}.keys (operation);
  CREATE INDEX IF NOT EXISTS by_end ON ${LEDGER}.keys (ended_ms);
  COMMIT`

/**
 * Counts the ledger's existing tables and sequences. They are created in one transaction, so a ledger that has fewer
 * than {@link ALL_RELATIONS} is damaged.
 */
export const COUNT_RELATIONS = `SELECT count(*)::integer AS count FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = '${LEDGER}' AND c.relname IN ('version', 'steps', 'operations', 'keys')`
export const ALL_RELATIONS = 4

/**
 * The statements that upgrade a ledger from format 1. They add the column `counted`, which contains the amount of an
 * order that counts towards the daily cap. Writes that are not orders also work with format 1.
 */
export const ADD_COUNTED = `
  BEGIN;
  SELECT pg_advisory_xact_lock(hashtext('${LEDGER}'));
  ALTER TABLE ${LEDGER}.keys ADD COLUMN IF NOT EXISTS counted bigint;
  UPDATE ${LEDGER}.version SET format = 2 WHERE format < 2;
  COMMIT`

/** Returns an SQL literal that does not depend on session settings. */
export function quoted(value: string | number | bigint | boolean | null): string {
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return String(value)
  // U+0000 would end the statement, so replace it.
  return `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '\uFFFD')}'`
}

/** Returns a hint that explains how to let a user create the ledger. */
export function mayCreateHint({ user, database }: Pick<Address, 'user' | 'database'>): string {
  return `let the owner of the database use the ledger first, or run: GRANT CREATE ON DATABASE "${database}" TO "${user}"`
}

/** A hint that says how to add the column of format 2. */
export const MAY_ADD_HINT = `as the user who owns the schema, run: ALTER TABLE ${LEDGER}.keys ADD COLUMN counted bigint`

/** Returns a hint with the GRANT statements that let a user use another user's ledger. */
export function mayUseHint({ user }: Pick<Address, 'user'>): string {
  const grants = [
    `USAGE ON SCHEMA ${LEDGER}`,
    `SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${LEDGER}`,
    `USAGE ON ALL SEQUENCES IN SCHEMA ${LEDGER}`,
  ].map((what) => `GRANT ${what} TO "${user}"`)
  return `as the user who owns the schema, run: ${grants.join('; ')}`
}
