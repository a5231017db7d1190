/** Whether somebody is calling the provider of a recipient or of a payin method at this moment. Pure. */

/** Claimed alone is not enough: a call that has outlived its lease belongs to nobody any more. */
export function isCallUnderWay(
  { isClaimed, nextAttemptAt: leaseEnd }: { readonly isClaimed: boolean; readonly nextAttemptAt: Date | null },
  now: Date,
): boolean {
  return isClaimed && leaseEnd !== null && leaseEnd > now;
}
