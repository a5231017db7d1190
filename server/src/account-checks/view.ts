/**
 * What endpoint 15 answers: the finding with 200, or with 422 and words in `meta.error`. One of the words is fixed, the
 * others follow the published samples. Spec: endpoint 15, Errors 7. Open points OP-53 and OP-54.
 */
import { unreachable } from '../kernel/assert.ts';
import type { CheckAnswer, CheckQuestion } from './account-check.ts';

interface CheckView {
  readonly status: 200 | 422;
  readonly body: {
    readonly object: {
      readonly account_name?: string;
      readonly mapped_mobile_provider?: string;
      readonly account_status?: 'active' | 'inactive';
    };
    readonly meta?: { readonly error: string };
  };
}

export function viewCheck({ kind, account }: CheckQuestion, answer: CheckAnswer): CheckView {
  switch (answer.kind) {
    case 'name':
      return good({ account_name: answer.accountName });
    case 'telco': {
      const found = { mapped_mobile_provider: answer.mobileProvider };
      const isRight = answer.mobileProvider === account.mobile_provider;
      return isRight ? good(found) : bad(found, 'Mobile provider does not match phone number.');
    }
    case 'status': {
      const found = { account_status: answer.status };
      return answer.status === 'active' ? good(found) : bad(found, 'Account invalid');
    }
    case 'not_found':
      return viewMissing(kind);
    case 'unavailable':
      return bad({}, 'Account validation failed');
    default:
      return unreachable(answer);
  }
}

function viewMissing(kind: CheckQuestion['kind']): CheckView {
  switch (kind) {
    case 'name':
      return bad({}, 'Account Invalid');
    case 'telco':
      return bad({}, 'Could not find account');
    case 'status':
      return bad({ account_status: 'inactive' }, 'Account invalid');
    default:
      return unreachable(kind);
  }
}

function good(object: CheckView['body']['object']): CheckView {
  return { status: 200, body: { object } };
}

function bad(object: CheckView['body']['object'], error: string): CheckView {
  return { status: 422, body: { object, meta: { error } } };
}
