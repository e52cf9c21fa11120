import type { Commands } from '../framework/command.ts';

/** Every command, in the order of the help. */
export const commands: Commands = {
  start: async () => (await import('./start.ts')).start,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'migrate status': async () => (await import('./migrate.ts')).migrateStatus,
  'migrate up': async () => (await import('./migrate.ts')).migrateUp,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  'users create': async () => (await import('./users.ts')).usersCreate,
  'users list': async () => (await import('./users.ts')).usersList,
  'keys create': async () => (await import('./keys.ts')).keysCreate,
  'keys list': async () => (await import('./keys.ts')).keysList,
  'keys update': async () => (await import('./keys-by-id.ts')).keysUpdate,
  'keys revoke': async () => (await import('./keys-by-id.ts')).keysRevoke,
  'orders list': async () => (await import('./orders.ts')).ordersList,
  'payments settle': async () => (await import('./payments.ts')).paymentsSettle,
  'import products': async () => (await import('./import-products.ts')).importProducts,
  'export products': async () => (await import('./export-products.ts')).exportProducts,
  reindex: async () => (await import('./reindex.ts')).reindex,
  seed: async () => (await import('./seed.ts')).seed,
  conformance: async () => (await import('./conformance.ts')).conformance,
  openapi: async () => (await import('./openapi.ts')).openapi,
};
