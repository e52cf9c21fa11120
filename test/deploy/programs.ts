import { spawnSync } from 'node:child_process';

/** Debian installs nginx and HAProxy outside the PATH of ordinary users. */
export const programs = {
  nginx: '/usr/sbin/nginx',
  haproxy: '/usr/sbin/haproxy',
  caddy: '/usr/bin/caddy',
} as const;

/** Whether one of these programs is installed. */
export const has = (program: string): boolean =>
  spawnSync(program, [program.endsWith('caddy') ? 'version' : '-v']).error === undefined;
