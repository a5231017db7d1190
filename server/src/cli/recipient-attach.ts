/** `payferry recipient attach RECIPIENT FILE`: a proof of payment that an operator has. */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { MAX_PROOF_BYTES } from '../recipients/proof.ts';
import { CliFailure } from './failure.ts';
import { textAt } from './json.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print } from './operator-command.ts';

export function registerAttach(command: Command): void {
  actingCommand(command, 'attach <recipient> <file>', 'attach a proof of payment to a paid recipient').action(attach);
}

async function attach(recipient: string, path: string, flags: OperatorFlags): Promise<void> {
  const content = await readWhole(path);
  const body = await callOperator(flags, {
    method: 'POST',
    path: pathTo`/operator/recipients/${recipient}/proofs`,
    body: { file_name: basename(path), content: content.toString('base64') },
  });
  print(flags, body, () => `attached ${textAt(body, 'file_name')} to ${recipient} as ${textAt(body, 'id')}`);
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw new CliFailure(`${path} is not a file`);
      if (facts.size > MAX_PROOF_BYTES) throw new CliFailure(`${path} has more than ${MAX_PROOF_BYTES} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (fault) {
    if (fault instanceof CliFailure) throw fault;
    throw new CliFailure(`${path} cannot be read: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}
