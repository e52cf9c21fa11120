import { addCopyButtons, copyHeadingLinks } from './copy.ts';
import { followReading } from './outline.ts';
import { followTargets } from './targets.ts';

addCopyButtons();
copyHeadingLinks();
followTargets();
followReading(document.querySelector('.contents'));
