// Writes the address of the repository and of the person who reads reports into package.json and all papers that name them.
//
//   npm run addresses -- https://host.example/owner/portico security@host.example
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../compile.ts';
import { checkedAddresses, currentAddresses, papers, withAddresses } from './addresses.ts';

const [repository = '', reports = ''] = process.argv.slice(2);
try {
  const [former, named] = [currentAddresses(), checkedAddresses(repository, reports)];
  for (const paper of papers()) {
    const text = readFileSync(join(root, paper), 'utf8');
    const changed = withAddresses(text, former, named);
    if (changed === text) continue;
    writeFileSync(join(root, paper), changed);
    process.stdout.write(`${paper}\n`);
  }
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`addresses: ${error.message}\n`);
  process.exitCode = 2;
}
