/**
 * The reference page, made from the document and the guide, with the words of errors beside it. No scripts, nothing
 * loaded.
 */
import { REFUSALS } from '../../kernel/refusal.ts';
import { PROBLEMS } from '../problem.ts';
import { headerTable, link, parameterTable, schemaTable } from './fields.ts';
import type { GuideChapter } from './guide.ts';
import { ALWAYS_SENT } from './headers.ts';
import { type Html, html, raw } from './html.ts';
import { STYLE } from './style.ts';
import type { Example, OpenApi, Operation, Reference, Response, Schema } from './types.ts';

interface PlacedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

const RESPONSE_PREFIX = '#/components/responses/';

export function referencePage(document: OpenApi, guide: readonly GuideChapter[]): string {
  const { info, tags, components } = document;
  const operations = operationsOf(document);
  const groups = tags.map((tag) => ({ ...tag, operations: operations.filter((one) => one.tags.includes(tag.name)) }));
  const schemas = Object.entries(components.schemas);
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${info.title} API reference</title><style>${raw(STYLE)}</style></head>
<body><a class="skip" href="#content">To the content</a>
<nav aria-label="Contents"><p class="brand"><a href="#top">${info.title}</a> <small>${info.version}</small></p>
<h2>Guide</h2><ul>${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${groups.map(({ name, operations: inside }) => html`<h2>${name}</h2><ul>${inside.map(navigationLine)}</ul>`)}
<h2>Headers</h2><ul><li><a href="#headers">Headers of answers</a></li></ul>
<h2>Schemas</h2><ul>${schemas.map(([name]) => html`<li>${link(name)}</li>`)}</ul></nav>
<main id="content"><header id="top"><h1>${info.title} API reference</h1><p class="lead">${info.summary}</p>
<p>Version ${info.version}. Calls go to <code>${serverOf(document)}</code>. For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p></header>
${guide.map(chapterSection)}
${groups.map(
  (group) => html`<section class="group"><h2 id="tag-${group.name}">${group.name}</h2><p>${group.description}</p>
${group.operations.map((one) => operationSection(one, document))}</section>`,
)}
<section class="group"><h2 id="headers">Headers of answers</h2>${headerTable(components.headers)}</section>
<section class="group"><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => schemaSection(name, schema))}</section>
</main></body></html>`;
  return body.html;
}

function operationsOf({ paths }: OpenApi): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

function serverOf({ servers }: OpenApi): string {
  const url = servers[0]?.url ?? '/';
  return url === '/' ? 'the address of this page' : url;
}

function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function navigationLine({ operationId, method, summary }: PlacedOperation): Html {
  return html`<li><a href="#${operationId}">${badge(method)}<span>${summary}</span></a></li>`;
}

function chapterSection({ id, title, parts }: GuideChapter): Html {
  const shown = parts.map((part) =>
    'code' in part ? html`<pre><code>${part.code}</code></pre>` : html`<p>${part.text}</p>`,
  );
  return html`<section class="chapter"><h2 id="${id}">${title}</h2>${shown}${id === 'errors' ? errorTables() : ''}</section>`;
}

function errorTables(): Html {
  const problems = Object.values(PROBLEMS).map(
    ({ status, error }) => html`<tr><td>${status}</td><td>${error}</td></tr>`,
  );
  const words = Object.entries(REFUSALS).map(
    ([word, text]) => html`<tr><td><code>${word}</code></td><td>${text}</td></tr>`,
  );
  return html`<details><summary>The words in a 422</summary><div class="scroll"><table><tbody>${words}</tbody></table></div></details>
<details><summary>All other failures</summary><div class="scroll"><table><tbody>${problems}</tbody></table></div></details>`;
}

function operationSection(operation: PlacedOperation, document: OpenApi): Html {
  const { operationId, method, path, summary, description, parameters, requestBody, security } = operation;
  const body = requestBody?.content['application/json'];
  return html`<article id="${operationId}"><h3>${summary} <a class="anchor" href="#${operationId}" aria-label="Link to ${summary}">#</a></h3>
<p class="address">${badge(method)}<code>${path}</code>${security.length === 0 ? html`<span class="public">public</span>` : ''}</p><p>${description}</p>
${parameters ? html`<h4>Parameters</h4>${parameterTable(parameters)}` : ''}
${body ? html`<h4>Body</h4>${schemaTable(body.schema)}${Object.values(body.examples ?? {}).map(exampleBlock)}` : ''}
<h4>Answers</h4>${Object.entries(operation.responses).map(([status, response]) => answerBlock(status, response, document))}</article>`;
}

/** Folded, since a sender alone has a dozen lines. */
function exampleBlock({ summary, value }: Example): Html {
  return html`<details class="example"><summary>Example: ${summary}</summary><pre><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

/** Successes are open; failures, most of which all endpoints share, are folded. */
function answerBlock(status: string, response: Response | Reference, { components }: OpenApi): Html {
  const isFailure = !status.startsWith('2');
  const found = '$ref' in response ? components.responses[response.$ref.slice(RESPONSE_PREFIX.length)] : response;
  if (found === undefined) return html``;
  const [mediaType, content] = Object.entries(found.content)[0] ?? [];
  const kind = mediaType === 'application/json' || mediaType === undefined ? '' : html` <small>${mediaType}</small>`;
  const title = html`<span class="status s${status.slice(0, 1)}">${status}</span> ${found.description}${kind}`;
  const inside = html`${content ? schemaTable(content.schema) : ''}${headerLine(found)}`;
  return isFailure
    ? html`<details class="answer"><summary>${title}</summary>${inside}</details>`
    : html`<div class="answer"><p>${title}</p>${inside}</div>`;
}

/** Beside those that every answer has. */
function headerLine({ headers }: Response): Html {
  const names = Object.keys(headers).filter((name) => !Object.hasOwn(ALWAYS_SENT, name));
  const links = names.map((name) => html` <a href="#header-${name}">${name}</a>`);
  return links.length === 0 ? html`` : html`<p class="type">Headers:${links}</p>`;
}

function schemaSection(name: string, schema: Schema): Html {
  const { description } = schema;
  return html`<article id="schema-${name}"><h3>${name} <a class="anchor" href="#schema-${name}" aria-label="Link to ${name}">#</a></h3>
${description === undefined ? '' : html`<p>${description}</p>`}${schemaTable(schema)}</article>`;
}
