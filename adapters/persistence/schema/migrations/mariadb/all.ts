import type { Migrations } from '../../migrate.ts';

export const mariadbMigrations: Migrations = [
  { name: '0001-initial', load: async () => (await import('./0001-initial.ts')).Initial },
  { name: '0002-key-creators', load: async () => (await import('./0002-key-creators.ts')).KeyCreators },
];
