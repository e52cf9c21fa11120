/**
 * Options of MikroORM for both databases. It owns the schema, the migrations and the connections, and discovers nothing at
 * start; only a test that compares the entities with a schema adds them (`discoverEntity`).
 */
export const ormOptions = {
  ensureDatabase: false,
  discovery: { warnWhenNoEntities: false },
  metadataCache: { enabled: false },
  logger: () => undefined,
};
