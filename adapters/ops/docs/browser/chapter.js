import { addCopyButtons, copyHeadingLinks } from './copy.js';
import { followReading } from './outline.js';
import { followTargets } from './targets.js';

addCopyButtons();
copyHeadingLinks();
followTargets();
followReading(document.querySelector('.contents'));
