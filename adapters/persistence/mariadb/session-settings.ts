/**
 * The settings of each connection. Locks, statements and transactions that the client has forgotten end by themselves.
 *
 * - Read committed with row locks: a unit of work that has waited for a lock reads the latest commit.
 * - Texts compare code point by code point, trailing spaces included. Instants are in UTC, and values are never truncated.
 * - Each statement outside of a transaction commits by itself, references are checked, and a commit begins no other transaction,
 *   whatever the defaults of the server are.
 * - In a Galera cluster a read waits until its node has applied every earlier commit, and a statement that has lost its
 *   certification fails instead of running again out of sight, where `insert ... returning` would return what it lost.
 *   https://mariadb.com/kb/en/galera-cluster-system-variables/
 * @param timeoutMs of locks and statements, in milliseconds; 0 is no limit
 */
export const sessionSettings = (timeoutMs: number): string =>
  `set names utf8mb4 collate utf8mb4_nopad_bin,
    session tx_isolation = 'READ-COMMITTED',
    session tx_read_only = 0,
    session autocommit = 1,
    session completion_type = 'NO_CHAIN',
    session foreign_key_checks = 1,
    session time_zone = '+00:00',
    session sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    session innodb_lock_wait_timeout = ${Math.ceil(timeoutMs / 1_000) || 50},
    session max_statement_time = ${timeoutMs / 1_000},
    session idle_transaction_timeout = 60,
    session wsrep_sync_wait = if(@@wsrep_on, 1, 0),
    session wsrep_retry_autocommit = if(@@wsrep_on, 0, @@wsrep_retry_autocommit)`;
