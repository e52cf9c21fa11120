// @ts-nocheck
/**
 * Takes files that are dropped anywhere on the page while a view is open, which a browser would otherwise open in its place.
 * @param callback gets the first file
 */
export const onFileDrop = ({ signal }, callback) => {
  const mark = (isOver) => document.body.classList.toggle('dropping', isOver);
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files') ?? false;
  const on = (name, listener) =>
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
    if (dataTransfer.files.length > 0) callback(dataTransfer.files[0]);
  });
  signal.addEventListener('abort', () => mark(false));
};
