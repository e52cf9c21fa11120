// Preloaded into a server by a test: on SIGUSR2 a promise rejects without a handler.
process.on('SIGUSR2', () => {
  Promise.reject(new Error('No handler for this.'));
});
