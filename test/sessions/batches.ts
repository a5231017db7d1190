/** Commands as the service runs them: together, and one by one again after a fault of the moment. */
import { BatchRunner } from '../../server/src/kernel/batch.ts';

export async function asBatch<Command extends object, Answer>(
  commands: readonly Command[],
  operate: (commands: readonly Command[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const runner = new BatchRunner<Command, Answer>(
    {
      name: 'session',
      lanes: 1,
      maxCommands: commands.length + 1,
      tenantOf: () => '',
      oneTenant: false,
      pause: async () => undefined,
    },
    operate,
  );
  return Promise.all(commands.map((command) => runner.submit(command)));
}
