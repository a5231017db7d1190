/** Something that was foreseen went wrong: the message goes to standard error as it is, and the program ends with 1. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}
