/** The days by which callers narrow their lists, as the times that rows are compared with. */

/** Days, YYYY-MM-DD in UTC, both of them included. */
export interface CreatedDays {
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

/** From the one on and before the other; null where nothing bounds it. */
export interface CreatedSpan {
  readonly from: Date | null;
  readonly before: Date | null;
}

const DAY_MS = 86_400_000;

export function spanOf({ createdAtFrom, createdAtTo }: CreatedDays): CreatedSpan {
  return {
    from: createdAtFrom === undefined ? null : startOf(createdAtFrom),
    before: createdAtTo === undefined ? null : new Date(startOf(createdAtTo).getTime() + DAY_MS),
  };
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
