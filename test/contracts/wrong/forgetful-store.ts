import { openMemory } from '#adapters/persistence/memory/open.ts';

/** A store that acknowledges every commit, and writes nothing. */
export const openStore = () => openMemory();
