import type { Context } from '../view.ts';
/**
 * Receives files that are dropped anywhere on the page while a view is open, which a browser would otherwise open in its place.
 * @param callback gets the first file
 */
export const onFileDrop = ({ signal }: Pick<Context, 'signal'>, callback: (file: File) => unknown): void => {
  const mark = (isOver: boolean) => document.body.classList.toggle('dropping', isOver);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  const on = (name: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => unknown) =>
    addEventListener(
      name,
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        listener(event);
      },
      { signal },
    );
  on('dragover', () => mark(true));
  on('dragleave', ({ relatedTarget }) => relatedTarget === null && mark(false));
  on('drop', ({ dataTransfer }) => {
    mark(false);
    const file = dataTransfer?.files[0];
    if (file !== undefined) callback(file);
  });
  signal.addEventListener('abort', () => mark(false));
};
