import { demoKeys } from './demo-keys.js';
import { make } from './make.js';

const keys = await demoKeys();
const variables = { KEY: keys.customer, ADMIN: keys.admin };

for (const block of document.querySelectorAll('.guide pre')) {
  block.tabIndex = 0;
  const code = block.querySelector('code');
  if (!code.classList.contains('language-sh')) continue;
  code.textContent = code.textContent.replace(
    /^(KEY|ADMIN)=ptc_…/gm,
    (_line, name) => `${name}=${variables[name] ?? 'ptc_…'}`,
  );
  // Browsers let pages write to the clipboard only where nobody can listen in.
  if (navigator.clipboard === undefined) continue;
  const button = make('button', { type: 'button', className: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent.trimEnd());
    for (const other of document.querySelectorAll('.copy')) other.textContent = 'Copy';
    button.textContent = 'Copied';
  });
  const frame = make('div', { className: 'block' }, make('div', { className: 'bar' }, 'Shell', button));
  block.replaceWith(frame);
  frame.append(block);
}
