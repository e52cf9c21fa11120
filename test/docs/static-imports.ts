const statement = /\b(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*["'](\.{0,2}\/[^"']+)["']/g;

/** The addresses that a module imports before it runs. */
export const staticImports = (address: string, text: string): readonly string[] =>
  Array.from(text.matchAll(statement), ([, name = '']) => new URL(name, `http://portico${address}`).pathname);

/** The addresses of the files that a page names, each once. */
export const filesOf = (page: string): readonly string[] => [
  ...new Set(
    Array.from(page.matchAll(/<(?:link|script|img)\b[^>]* (?:src|href)="([^"]+)"/g), ([, path = '']) => path),
  ),
];
