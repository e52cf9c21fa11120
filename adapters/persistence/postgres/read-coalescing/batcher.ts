/** How long questions wait for the answer to those before them, in milliseconds. */
const patience = 2;

/**
 * Lets questions be asked together that come in the same turn of the event loop, or while others are on their way: the more of
 * them come, the longer each answer takes, and the more are asked at once. None joins those on their way, for their
 * answer may be older than the question; and none waits for them for long, for they may have met with something slow. Where one
 * came alone the last time, the next goes at once, and who comes behind it in the same turn waits for it.
 * @param ask answers all of them at once
 */
export const gather = <Q, A>(ask: (questions: readonly Q[]) => Promise<A>): ((question: Q) => Promise<A>) => {
  let waiting: { readonly questions: Q[]; readonly answer: Promise<A> } | undefined;
  let onTheirWay = 0;
  let wereMany = true;
  let answered: (() => void) | undefined;

  const untilAnswered = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, patience);
      answered = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const askSoon = async (questions: readonly Q[]): Promise<A> => {
    if (onTheirWay > 0) await untilAnswered();
    await (wereMany ? endOfTurn() : undefined);
    waiting = undefined;
    wereMany = questions.length > 1;
    onTheirWay += 1;
    try {
      return await ask(questions);
    } finally {
      onTheirWay -= 1;
      answered?.();
    }
  };

  const open = () => {
    const questions: Q[] = [];
    waiting = { questions, answer: askSoon(questions) };
    return waiting;
  };

  return (question) => {
    const { questions, answer } = waiting ?? open();
    questions.push(question);
    return answer;
  };
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
