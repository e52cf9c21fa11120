#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=40 --no-allocation-site-pretenuring
// The command `portico`. It runs on any Node: one older than 24 starts the Node 24 in node_modules.
// When you start a server as `node bootstrap/portico.mjs start`, pass the flags of the first line too.
import { launch } from './launch.mjs';

launch(process.argv.slice(2));
