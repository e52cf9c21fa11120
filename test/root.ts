import { stopPostgres } from './postgres.ts';

/** Mocha calls it when all tests have ended, however they did. */
export const mochaGlobalTeardown = stopPostgres;
