/**
 * Tables, and columns as `table.column`, that are still there, and that this version neither reads nor writes. The version
 * behind it may take them away, by a migration whose name says since when: `0042-contract-since-0.3.0-nicknames`.
 */
export const noLongerUsed: readonly string[] = [];
