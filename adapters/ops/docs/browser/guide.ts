import { addCopyButtons, copyHeadingLinks } from './copy.ts';
import { foldOutline, followReading } from './outline.ts';
import { fetchDemoKeys } from './page.ts';

addCopyButtons();
copyHeadingLinks();
foldOutline();
followReading(document.querySelector('.outline'));

// Shell examples get the reader's own keys.
const keys = await fetchDemoKeys();
const variables: Readonly<Record<string, string | undefined>> = {
  KEY: keys['customer'],
  ADMIN: keys['admin'],
};
for (const code of document.querySelectorAll('.guide code.language-sh'))
  code.textContent = (code.textContent ?? '').replace(
    /^(KEY|ADMIN)=ptc_…/gm,
    (_line, name: string) => `${name}=${variables[name] ?? 'ptc_…'}`,
  );
