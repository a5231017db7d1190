/**
 * What a caller is told with the state of a sender: one of these texts and nothing else. Whether a list named the
 * sender, which one, and what an operator wrote stays inside: a caller who knew could warn the person, which the law of
 * most countries forbids. So a match and an ordinary review have the same text; the states of the specification still
 * tell them apart. Open points OP-102 and OP-181.
 */
export const CHECKED_ANEW = 'Identity details were changed; the sender is being checked again.';
export const UNDER_REVIEW = 'The sender is under review.';
export const REJECTED = 'The sender was not accepted.';
export const BANNED = 'The sender may not transact.';
