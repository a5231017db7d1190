/**
 * How the command line finds a service on the same machine: by the data directory alone. The service writes where it
 * listens and a token of its own into `operator.json`, and in the sandbox an address with API key and secret into
 * `sandbox.json`; a token that is being made is in `operator.next.json` first. All can be read by their owner only.
 * Light on imports: the command line reads them at every start.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** `url` is the base address of the operator listener. */
export interface OperatorAccess {
  readonly url: string;
  readonly token: string;
}

/** `url` is the base address of the API. */
export interface SandboxAccess {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

export const operatorFile = (dataDir: string): string => join(dataDir, 'operator.json');
export const nextOperatorFile = (dataDir: string): string => join(dataDir, 'operator.next.json');
export const sandboxFile = (dataDir: string): string => join(dataDir, 'sandbox.json');

export function readOperatorAccess(dataDir: string): Promise<OperatorAccess | undefined> {
  return readPrivateFile(operatorFile(dataDir), ['url', 'token']);
}

export function writeOperatorAccess(dataDir: string, { url, token }: OperatorAccess): Promise<void> {
  return writePrivateFile(operatorFile(dataDir), { url, token });
}

/** With a token that the database may not know yet. */
export function readNextOperatorAccess(dataDir: string): Promise<OperatorAccess | undefined> {
  return readPrivateFile(nextOperatorFile(dataDir), ['url', 'token']);
}

export function writeNextOperatorAccess(dataDir: string, { url, token }: OperatorAccess): Promise<void> {
  return writePrivateFile(nextOperatorFile(dataDir), { url, token });
}

export function removeNextOperatorAccess(dataDir: string): Promise<void> {
  return rm(nextOperatorFile(dataDir), { force: true });
}

export function readSandboxAccess(dataDir: string): Promise<SandboxAccess | undefined> {
  return readPrivateFile(sandboxFile(dataDir), ['url', 'key', 'secret']);
}

export function writeSandboxAccess(dataDir: string, { url, key, secret }: SandboxAccess): Promise<void> {
  return writePrivateFile(sandboxFile(dataDir), { url, key, secret });
}
