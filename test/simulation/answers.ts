/** Answers of the service, as a caller of the simulation hears them. */
import type { HeardAnswer } from '../../simulate/world.ts';

type Status = number | undefined;

/** `undefined`: no answer comes. */
export function answers(status: Status): () => Promise<HeardAnswer | undefined> {
  return async () => (status === undefined ? undefined : { status, body: undefined });
}

/** One that comes when it is given. */
export function answerOf() {
  let give: (status: Status) => void = () => undefined;
  const given = new Promise<Status>((resolve) => {
    give = resolve;
  });
  return { send: async () => answers(await given)(), give: (status: Status) => give(status) };
}
