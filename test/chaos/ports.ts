import { randomInt } from 'node:crypto';
import { isFree, occupy } from '../bootstrap/support/ports.ts';

/**
 * Below those of other tests (`freePort`), and of outgoing connections: while a server is down, one of our own clients might be
 * given its port, and the server could not come back.
 */
const firstPort = 10_000;

/** A run owns a block of ports. Two runs with a port in common would answer each other's clients while a server is down. */
const blocks = { count: 100, ports: 100 };

type Ports = readonly [number, number, number, number, number, number];

/** Whether this process listens there now, and will for as long as it lives. */
const claim = async (port: number): Promise<boolean> => {
  try {
    (await occupy(port)).unref();
    return true;
  } catch {
    return false;
  }
};

/** Claims a block that no other run has: its first port says that it is taken. @returns its other ports */
const claimBlock = async (): Promise<number[]> => {
  for (;;) {
    const first = firstPort + randomInt(blocks.count) * blocks.ports;
    if (await claim(first)) return Array.from({ length: blocks.ports - 1 }, (_, index) => first + 1 + index);
  }
};

let left: number[] = [];

/** A port that no other run has, and that this one has not used before. It stays free while the program that has it is down. */
export const steadyPort = async (): Promise<number> => {
  for (;;) {
    const port = left.shift();
    if (port === undefined) left = await claimBlock();
    else if (await isFree(port)) return port;
  }
};

/** The ports of two servers. */
export const steadyPorts = async (): Promise<Ports> => [
  await steadyPort(),
  await steadyPort(),
  await steadyPort(),
  await steadyPort(),
  await steadyPort(),
  await steadyPort(),
];
