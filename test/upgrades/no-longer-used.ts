/**
 * Tables, and columns as `table.column`, that exist and that this version neither reads nor writes. The next version may drop
 * them, by a migration that names this version: `2027-01-31-contract-since-0.3.0-nicknames`.
 */
export const noLongerUsed: readonly string[] = [];
