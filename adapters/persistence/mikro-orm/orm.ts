/**
 * What both databases ask of MikroORM: to own the schema, the migrations and the connections. It is told everything
 * and looks for nothing, on disk or in the database, which is what would make a start slow.
 */
export const ormOptions = {
  ensureDatabase: false,
  metadataCache: { enabled: false },
  logger: () => undefined,
};
