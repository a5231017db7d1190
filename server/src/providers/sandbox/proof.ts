/** The proof of payment that the sandbox provider hands over: one page, the same for the same order. */
import type { PayoutOrder, ProofFile } from '../payout-provider.ts';

export function proofOf({ reference }: PayoutOrder): ProofFile {
  return {
    fileName: `sandbox-${reference}.pdf`,
    contentType: 'application/pdf',
    content: onePage(`Sandbox: order ${reference.replace(/[^A-Za-z0-9-]/g, '')} was paid.`),
  };
}

/** The least that a reader of PDF wants: a catalogue, a page, a line of text, and the place of each in the file. */
function onePage(line: string): Buffer {
  const text = `BT /F1 12 Tf 40 120 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 160] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}
