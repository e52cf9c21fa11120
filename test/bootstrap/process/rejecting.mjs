// Preloaded into a server by a test: when it is told to by SIGUSR2, something fails that nobody looks after.
process.on('SIGUSR2', () => {
  Promise.reject(new Error('Nobody looked after this.'));
});
