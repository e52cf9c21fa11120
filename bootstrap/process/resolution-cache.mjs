import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Keeps for the next start where modules find each other: to look for a thousand of them, each through a few folders, takes a
 * third of a start. As long as nothing is installed anew and `package.json` is what it was, they are where they were, for
 * each is named with its whole path.
 * @param {string} root the folder of the project and of its packages
 * @param {string} folder where it is kept
 */
export const keepResolved = (root, folder) => {
  const base = pathToFileURL(join(root, '/')).href;
  const file = join(folder, 'resolved.json');
  const installed = whenInstalled(root);
  if (installed === undefined || isPreceded()) return;
  const known = read(file, installed);
  let isNew = false;

  module.registerHooks?.({
    resolve: (specifier, context, next) => {
      if (module.isBuiltin(specifier)) return builtin(specifier);
      const { parentURL = '', conditions } = context;
      if (!parentURL.startsWith(base)) return next(specifier, context);
      const isImport = conditions.includes('import');
      const key = `${parentURL.slice(base.length)} ${isImport ? '' : 'require '}${specifier}`;
      const found = known[key];
      if (found) return { url: `${base}${found[0]}`, format: found[1] ?? undefined, shortCircuit: true };
      const resolved = next(specifier, context);
      if (resolved.url.startsWith(base) && (isImport || !looksElsewhere(parentURL))) {
        known[key] = [resolved.url.slice(base.length), resolved.format];
        isNew = true;
      }
      return resolved;
    },
  });
  process.on('exit', () => {
    if (isNew) write(file, { installed, known });
  });
};

const builtin = (specifier) => ({
  url: specifier.startsWith('node:') ? specifier : `node:${specifier}`,
  format: 'builtin',
  shortCircuit: true,
});

/**
 * Whether a module may name `paths` to `require.resolve`, which cannot be told from `require` here. Then what it gets depends
 * on more than where it is, and is looked for each time.
 */
const looksElsewhere = (url) => {
  const path = fileURLToPath(url);
  if (!existsSync(path)) return true;
  const text = readFileSync(path, 'utf8');
  return /\bresolve\b/.test(text) && /\bpaths\b/.test(text);
};

/** Whoever was loaded before this, as tracing is, may want to have a say in what is found; so do conditions. */
const isPreceded = () =>
  /(^|\s)(-r|--import|--require|--loader|--experimental-loader|-C|--conditions)\b/.test(
    [...process.execArgv, process.env.NODE_OPTIONS].join(' '),
  );

/** npm writes a file whenever it installs something, `package.json` has short names, and another Node may look elsewhere. */
const whenInstalled = (root) => {
  const installed = whenWritten(join(root, 'node_modules', '.package-lock.json'));
  return installed && `${installed} ${whenWritten(join(root, 'package.json'))} ${process.version}`;
};

const whenWritten = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

const read = (file, installed) => {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    return kept.installed === installed ? kept.known : {};
  } catch {
    return {};
  }
};

/** In one step, for others may be reading it. */
const write = (file, content) => {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, JSON.stringify(content));
    renameSync(unfinished, file);
  } catch {
    // Then the next start looks again.
  }
};
