/** Callers who create several transactions and fund them by one list, all or nothing, sometimes sent twice at once. */
import type { Chance } from '../chance.ts';
import type { Happening, Stage } from '../stage.ts';
import { textAt } from './answers.ts';
import { payoutBody, senderCalled } from './bodies.ts';
import { Caller } from './caller.ts';

interface ListShape {
  readonly tenants: number;
  readonly lists: number;
  readonly forMs: number;
}

interface List {
  readonly number: number;
  readonly tenant: number;
  readonly size: number;
  readonly times: number;
  /** One of them is for something that does not exist: nothing of the list may be done. */
  readonly isSpoiled: boolean;
}

const NOBODY = '00000000-0000-7000-8000-000000000000';

export function drawDebitLists(chance: Chance, { tenants, lists, forMs }: ListShape): Happening[] {
  return Array.from({ length: lists }, (_, number) => {
    const own = chance.of(number);
    const list = {
      number,
      tenant: own.below(tenants),
      size: own.between(2, 4),
      times: own.between(1, 2),
      isSpoiled: own.percent(30),
    };
    return {
      label: `list ${number} of ${list.size} debits`,
      atMs: own.below(forMs),
      start: (stage) => stage.world.spawn(`list ${number}`, () => run(stage, list)),
    };
  });
}

async function run(stage: Stage, { number, tenant: place, size, times, isSpoiled }: List): Promise<void> {
  const tenant = stage.tenants[place];
  if (!tenant) return;
  const caller = new Caller(stage, tenant, `D${number}`);
  const made = await Promise.all(Array.from({ length: size }, (_, index) => create(caller, `list-${number}-${index}`)));
  const ids = made.flatMap((id) => id ?? []);
  if (ids.length === 0) return;
  const list = [...ids, ...(isSpoiled ? [NOBODY] : [])];
  const answers = await Promise.all(Array.from({ length: times }, () => caller.debit(list)));
  if (isSpoiled && answers.some((answer) => answer?.status === 200)) {
    stage.world.violate('a list of debits is all or nothing', `list ${number}: 200`);
  }
  if (isSpoiled) for (const id of ids) stage.promises.neverFunded.add(id);
}

async function create(caller: Caller, externalId: string): Promise<string | undefined> {
  const recipients = [{ isCash: false, amount: '25.00', lastName: `${externalId}R0` }];
  const sender = senderCalled('sender-of-lists');
  const { transaction } = payoutBody({ externalId, inputCurrency: 'USD', sender, recipients });
  return textAt(await caller.make(transaction, false), 'id');
}
