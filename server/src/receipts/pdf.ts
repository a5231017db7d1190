/**
 * A receipt as a PDF of A4 pages. The same receipt always gives the same bytes: the time in the file is the receipt's,
 * and nothing else in it depends on when or where it was made. Open point OP-156.
 */
import { inLatin } from './latin.ts';
import type { Receipt } from './receipt.ts';

const MARGIN = 56;
const LABEL_WIDTH = 140;
const ROW_GAP = 7;
const INK = '#1c2430';
const FAINT = '#5b6572';
const MAKER = 'Payferry';

export async function receiptPdf(receipt: Receipt): Promise<Buffer> {
  // Loaded when the first receipt is asked for: most processes never make one.
  const { default: PDFDocument } = await import('pdfkit');
  const { title, at } = receipt;
  const info = { Title: title, Author: MAKER, Creator: MAKER, Producer: MAKER, CreationDate: at, ModDate: at };
  const page = new PDFDocument({ size: 'A4', margin: MARGIN, lang: 'en', displayTitle: true, info });
  const made = collect(page);
  draw(page, receipt);
  page.end();
  return made;
}

function collect(page: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    page.on('data', (part: Buffer) => parts.push(part));
    page.on('error', reject);
    page.on('end', () => resolve(Buffer.concat(parts)));
  });
}

function draw(page: PDFKit.PDFDocument, { title, amount, rows, notes }: Receipt): void {
  const width = page.page.width - 2 * MARGIN;
  page.font('Helvetica').fontSize(11).fillColor(FAINT).text(inLatin(title), { width });
  page.moveDown(0.4).font('Helvetica-Bold').fontSize(26).fillColor(INK).text(inLatin(amount), { width });
  page.moveDown(0.6);
  rule(page, width);
  page.fontSize(10);
  for (const { label, value } of rows) drawRow(page, inLatin(label), inLatin(value), width);
  page.moveDown(0.4);
  rule(page, width);
  page.font('Helvetica').fontSize(8.5).fillColor(FAINT);
  for (const note of notes) page.text(inLatin(note), MARGIN, page.y, { width }).moveDown(0.3);
}

function rule(page: PDFKit.PDFDocument, width: number): void {
  const { y } = page;
  page
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + width, y)
    .lineWidth(0.6)
    .strokeColor(FAINT)
    .stroke();
  page.y = y + 2 * ROW_GAP;
}

/** Label and value side by side; a row is never torn between two pages. */
function drawRow(page: PDFKit.PDFDocument, label: string, value: string, width: number): void {
  const valueWidth = width - LABEL_WIDTH;
  const height = page.font('Helvetica-Bold').heightOfString(value, { width: valueWidth });
  if (page.y + height > page.page.height - MARGIN) page.addPage();
  const { y } = page;
  page.font('Helvetica').fillColor(FAINT).text(label, MARGIN, y, { width: LABEL_WIDTH });
  page
    .font('Helvetica-Bold')
    .fillColor(INK)
    .text(value, MARGIN + LABEL_WIDTH, y, { width: valueWidth });
  page.y = y + height + ROW_GAP;
}
