import { randomUUID } from 'node:crypto';
import { isLikeCredential } from './credential-pattern.ts';

/** Visible ASCII, without the brackets that a page showing it might take for markup. */
const usable = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;

/** The client's own id for the request when it can be repeated without harm, else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && usable.test(header) && !isLikeCredential(header) ? header : randomUUID();
