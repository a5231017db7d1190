/** Writes docs/operator-api.md from the routes of the operator listener. A test compares it with the file. */
import { OPERATOR_REFUSALS, type OperatorRefusal } from '../accounts/operator-refusals.ts';
import type { OperatorRoute } from './describe.ts';
import { fieldLines } from './form-words.ts';
import { OPERATION_GROUPS } from './operations.ts';
import { problemOf } from './problem.ts';

const INTRODUCTION = `<!-- Generated from server/src/operator by \`npm run docs\`. Do not edit. -->

# The operator API

What the commands of \`payferry\` do, for programs. It has a listener of its own, on loopback and port 3001 unless
\`operator.host\` and \`operator.port\` say otherwise; [operators.md](operators.md#tokens) tells how to reach it from
another machine.

- **Who may.** Each request carries \`Authorization: Bearer TOKEN\`, the token of a named operator
  (\`payferry operator create NAME\`). Every operator may do everything, and every action is in the audit log under the
  operator's name. One action may need two operators: the approval of a sender, with \`reviews.two_persons\`.
- **Once.** An action may carry \`Command-Id: UUID\`. Sent again under the same id, after a lost answer, it is done once
  and answered from what is stored; a secret or token is in the first answer only. Every request but GET is an action,
  save the comparison with a report and the test of a webhook, which change nothing.
- **Bodies** are JSON objects. A field that is not listed is refused. Ids in paths are UUIDs, in upper or lower case.
- **Lists in pages** take \`limit\` (100 when not given) and give \`next\`, which is \`null\` on the last page.
- **Answers** are JSON: 200, or 201 where something was made. \`GET /operator\` lists these routes.

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3001/operator/attention
\`\`\`

A refusal is \`{"error": CODE, "details": [SENTENCE, ...]}\`, and nothing was changed ([the codes](#refusals)). A path
that there is not, or with an id that is none, is 404 \`not_found\`; a body that is no JSON is 400 \`bad_request\`, one that
is too large 413 \`body_too_large\`, of another media type 415 \`media_type_unknown\`; an address of a file that is no
longer valid is 403 \`address_expired\`. 503 \`unavailable\` says that nothing was done, 503 \`outcome_unknown\` that it may
have been: repeat both under the same command id. 500 \`fault\` is a mistake in the program; its log has the request that
the details name.
`;

export function operatorPage(routes: readonly OperatorRoute[]): string {
  const routeOf = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const groups = OPERATION_GROUPS.map(({ title, summaries }) => {
    const sections = Object.entries(summaries).flatMap(([operation, summary]) => {
      const route = routeOf.get(operation);
      return route ? [section(route, summary)] : [];
    });
    return [`## ${title}`, '', ...sections].join('\n');
  });
  return [INTRODUCTION, ...groups, refusals()].join('\n');
}

function section({ method, path, querystring, body }: OperatorRoute, summary: string): string {
  return [
    `### ${method} ${path.replace(/:([a-z_]+)/g, '{$1}')}`,
    '',
    summary,
    '',
    ...listed('Query:', fieldLines(querystring)),
    ...listed('Body:', fieldLines(body)),
  ].join('\n');
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [title, '', ...(lines.at(-1) === '' ? lines : [...lines, ''])];
}

function refusals(): string {
  const rows = Object.entries(OPERATOR_REFUSALS).map(([code, says]) => `| \`${code}\` | ${statusOf(code)} | ${says} |`);
  return ['## Refusals', '', '| Code | Status | Means |', '|---|---|---|', ...rows, ''].join('\n');
}

function statusOf(code: string): number {
  return isRefusal(code) ? problemOf({ code, details: [] }).status : 0;
}

function isRefusal(code: string): code is OperatorRefusal['code'] {
  return Object.hasOwn(OPERATOR_REFUSALS, code);
}
