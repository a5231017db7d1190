/**
 * In the sandbox nothing is sent, and callers try it with the addresses of the published examples, which are of
 * bitcoin's test network. In live mode these stay refused. Open point OP-242.
 */
import { isRecord } from './parse-file.ts';
import type { CorridorFile } from './read-directory.ts';

/** Files that are not of the right shape are left for file-shape.ts to refuse. */
export function withTestNetworks(file: CorridorFile): CorridorFile {
  const { content } = file;
  const fields = isRecord(content) ? content['fields'] : undefined;
  return Array.isArray(fields) ? { ...file, content: { ...Object(content), fields: fields.map(ofAnyNetwork) } } : file;
}

function ofAnyNetwork(field: unknown): unknown {
  const isAddress = isRecord(field) && field['format'] === 'bitcoin_address';
  return isAddress ? { ...field, format: 'bitcoin_address_of_any_network' } : field;
}
