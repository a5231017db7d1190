/** `payferry recipient attach` */
import type { Command } from 'commander';
import { registerAttach } from './recipient-attach.ts';

export function register(command: Command): void {
  registerAttach(command);
}
