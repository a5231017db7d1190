/**
 * The kinds of files that are taken, and how their content begins. A file whose first bytes belie its declared type is
 * refused: what an operator opens later is what it says it is. Open point OP-108.
 */

export const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

/** Names that programs write although no registry has them. */
const ALIASES: Readonly<Record<string, MediaType>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

/** Marks by their offset in the file; a file has to have one of the sets. */
interface Mark {
  readonly at: number;
  readonly bytes: Uint8Array;
}

const ascii = (at: number, text: string): Mark => ({ at, bytes: Buffer.from(text, 'latin1') });

/** Brands of the container that high-efficiency pictures come in. */
const HEIF_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];
const HEIF = HEIF_BRANDS.map((brand) => [ascii(4, `ftyp${brand}`)]);

const BEGINNINGS: Readonly<Record<MediaType, readonly (readonly Mark[])[]>> = {
  'image/jpeg': [[ascii(0, '\xff\xd8\xff')]],
  'image/png': [[ascii(0, '\x89PNG\r\n\x1a\n')]],
  'image/gif': [[ascii(0, 'GIF87a')], [ascii(0, 'GIF89a')]],
  'image/webp': [[ascii(0, 'RIFF'), ascii(8, 'WEBP')]],
  'image/heic': HEIF,
  'image/heif': HEIF,
  'application/pdf': [[ascii(0, '%PDF-')]],
};

/** The type by its registered name; undefined when it is not one that is taken. */
export function mediaTypeOf(declared: string): MediaType | undefined {
  const name = declared.toLowerCase();
  return MEDIA_TYPES.find((type) => type === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);
}

export function beginsAs(type: MediaType, content: Uint8Array): boolean {
  return BEGINNINGS[type].some((marks) =>
    marks.every(({ at, bytes }) => Buffer.compare(content.subarray(at, at + bytes.length), bytes) === 0),
  );
}

/** The type by the content alone; undefined when it is none that is taken. */
export function mediaTypeOfContent(content: Uint8Array): MediaType | undefined {
  return MEDIA_TYPES.find((type) => beginsAs(type, content));
}
