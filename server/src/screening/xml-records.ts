/**
 * Records of an XML file, one at a time: the elements with a given name, each with everything inside it. The file is
 * never in memory as a whole. Names are taken without their namespace; entities other than XML's own are refused.
 */
import sax from 'sax';
import { ListInvalid } from './list-entry.ts';
import type { ListFile } from './list-file.ts';

export interface XmlRecord {
  readonly name: string;
  /** The line on which it begins. */
  readonly line: number;
  readonly text: string;
  readonly children: readonly XmlRecord[];
}

interface Growing extends XmlRecord {
  text: string;
  readonly children: Growing[];
}

/** The largest records published have some thousand elements. */
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 50;

interface XmlShape {
  readonly root: string;
  readonly records: readonly string[];
}

export async function* xmlRecords(file: ListFile, shape: XmlShape): AsyncGenerator<XmlRecord> {
  const reader = new RecordReader(file.path, shape);
  for await (const text of file.text()) {
    reader.write(text);
    yield* reader.take();
  }
  reader.close();
  yield* reader.take();
}

class RecordReader {
  private readonly parser = sax.parser(true, { trim: false, normalize: false });
  private readonly open: Growing[] = [];
  private complete: XmlRecord[] = [];
  private elements = 0;
  private depth = 0;
  private readonly path: string;
  private readonly shape: XmlShape;

  constructor(path: string, shape: XmlShape) {
    this.path = path;
    this.shape = shape;
    this.parser.onopentag = ({ name }) => this.begin(localName(name));
    this.parser.onclosetag = () => this.end();
    this.parser.ontext = (text) => this.append(text);
    this.parser.oncdata = (text) => this.append(text);
    this.parser.onerror = (fault) => this.refuse(fault.message.split('\n')[0] ?? 'is not XML');
  }

  write(text: string): void {
    this.parser.write(text.replace(/^\uFEFF/, ''));
  }

  close(): void {
    this.parser.close();
    if (this.elements === 0) this.refuse('is empty');
  }

  take(): readonly XmlRecord[] {
    const taken = this.complete;
    this.complete = [];
    return taken;
  }

  private begin(name: string): void {
    this.depth += 1;
    this.elements += 1;
    if (this.depth > MAX_DEPTH) this.refuse(`has elements more than ${MAX_DEPTH} deep`);
    if (this.depth === 1 && name !== this.shape.root)
      this.refuse(`begins with <${name}>, not with <${this.shape.root}>`);
    const parent = this.open.at(-1);
    if (parent === undefined && !this.shape.records.includes(name)) return;
    if (parent === undefined) this.elements = 1;
    if (this.elements > MAX_ELEMENTS) this.refuse(`has a record of more than ${MAX_ELEMENTS} elements`);
    const element: Growing = { name, line: this.parser.line + 1, text: '', children: [] };
    parent?.children.push(element);
    this.open.push(element);
  }

  private end(): void {
    this.depth -= 1;
    const element = this.open.pop();
    if (element !== undefined && this.open.length === 0) this.complete.push(element);
  }

  private append(text: string): void {
    const element = this.open.at(-1);
    if (element) element.text += text;
  }

  private refuse(reason: string): never {
    throw new ListInvalid({ file: this.path, line: this.parser.line + 1 }, reason);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The elements of that name directly inside. */
export function elementsOf(record: XmlRecord, name: string): readonly XmlRecord[] {
  return record.children.filter((child) => child.name === name);
}

/** The text of the first element of that name, or empty. */
export function textOf(record: XmlRecord | undefined, name: string): string {
  return record?.children.find((child) => child.name === name)?.text.trim() ?? '';
}
