import { freePort } from '../bootstrap/support/ports.ts';

type Ports = readonly [number, number, number, number, number, number];

/** The ports of two servers. They stay free while the program that has one is down. */
export const steadyPorts = async (): Promise<Ports> => [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
];
