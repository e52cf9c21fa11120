/**
 * What both databases ask of MikroORM: to own the schema, the migrations and the connections. It looks for nothing, on
 * disk or in the database, which is what would make a start slow. Nor is it told of the entities, of which it takes 35 ms to
 * take note: only whoever compares them with a schema needs that, and tells it (`discoverEntity`).
 */
export const ormOptions = {
  ensureDatabase: false,
  discovery: { warnWhenNoEntities: false },
  metadataCache: { enabled: false },
  logger: () => undefined,
};
