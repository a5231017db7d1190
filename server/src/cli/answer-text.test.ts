import { expect, it } from 'vitest';
import { answerText } from './answer-text.ts';

it.each([
  ['a problem', 503, '{"status":503,"error":"internal error"}', 'the answer was 503: internal error'],
  [
    'a refused field',
    422,
    '{"object":{},"errors":{"seconds":[{"error":"invalid"}],"base":[{"error":"expired"},{"error":"canceled"}]}}',
    'the answer was 422: seconds is invalid, base is expired, canceled',
  ],
  [
    'a refusal of the whole',
    422,
    '{"errors":{"base":[{"error":"expired"}]},"meta":{"error":"it is too late"}}',
    'the answer was 422: it is too late',
  ],
  ['the page of a proxy', 502, '<html>Bad Gateway</html>', 'the answer was 502'],
  ['no text', 500, '', 'the answer was 500'],
  ['text that would forge a line', 400, '{"error":"a\\nb"}', 'the answer was 400: a\\u000ab'],
])('%s is told on one line', (_what, status, text, line) => {
  expect(answerText({ status, text, contentType: '' })).toBe(line);
});
