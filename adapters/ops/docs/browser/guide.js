import { createElement, fetchDemoKeys } from './page.js';

const keys = await fetchDemoKeys();
const variables = { KEY: keys.customer, ADMIN: keys.admin };

// Shell examples get the reader's own keys and a button that copies them.
for (const block of document.querySelectorAll('.guide pre')) {
  block.tabIndex = 0;
  const code = block.querySelector('code');
  if (!code.classList.contains('language-sh')) continue;
  code.textContent = code.textContent.replace(
    /^(KEY|ADMIN)=ptc_…/gm,
    (_line, name) => `${name}=${variables[name] ?? 'ptc_…'}`,
  );
  // Browsers offer the clipboard only on secure origins: HTTPS or this machine.
  if (navigator.clipboard === undefined) continue;
  const button = createElement('button', { type: 'button', className: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent.trimEnd());
    for (const other of document.querySelectorAll('.copy')) other.textContent = 'Copy';
    button.textContent = 'Copied';
  });
  const bar = createElement('div', { className: 'bar' }, 'Shell', button);
  const frame = createElement('div', { className: 'block' }, bar);
  block.replaceWith(frame);
  frame.append(block);
}
