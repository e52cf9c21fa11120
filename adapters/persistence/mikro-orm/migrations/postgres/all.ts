import type { Steps } from '../../migrate.ts';

export const steps: Steps = [
  { name: '0001-initial', load: async () => (await import('./0001-initial.ts')).Initial },
];
