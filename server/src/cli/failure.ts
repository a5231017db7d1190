/** Something that was foreseen went wrong: the message goes to standard error as it is, and the program ends with 1. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}

/** Faults that the person who starts the program can mend; their message says how. */
const FORESEEN = new Set([
  'EmbeddedPostgresFault',
  'DataDirectoryInUse',
  'DirectoryUnusable',
  'DatabaseNotReached',
  'DatabaseUnsuitable',
  'SchemaMismatch',
  'TableInUse',
  'ClockDisagrees',
  'MasterKeyFault',
  'ListenFault',
  'CatalogueInvalid',
  'RateDataInvalid',
  'ListInvalid',
  'ProvidersInvalid',
  'SandboxAccountFault',
]);

/** Anything else is a bug and shows where it is. */
export function failIfForeseen(fault: unknown): never {
  throw fault instanceof Error && FORESEEN.has(fault.name) ? new CliFailure(fault.message) : fault;
}
