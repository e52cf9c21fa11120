/** Before and behind every id: PostgreSQL accepts nothing else as an id. */
export const idBounds = {
  least: '00000000-0000-0000-0000-000000000000',
  greatest: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};
