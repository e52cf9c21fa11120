/**
 * Lets questions that come in the same turn of the event loop be asked together. None joins others that are on their way
 * already, for their answer may be older than the question.
 * @param ask answers all of them at once
 */
export const gather = <Q, A>(ask: (questions: readonly Q[]) => Promise<A>): ((question: Q) => Promise<A>) => {
  let waiting: { readonly questions: Q[]; readonly answer: Promise<A> } | undefined;

  const open = () => {
    const questions: Q[] = [];
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      waiting = undefined;
      return ask(questions);
    });
    waiting = { questions, answer };
    return waiting;
  };

  return (question) => {
    const { questions, answer } = waiting ?? open();
    questions.push(question);
    return answer;
  };
};
