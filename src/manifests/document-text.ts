/** One document of a file, by offsets into its text. */
export interface DocumentSpan {
  /** Of its `---`, where it has one. */
  readonly start: number;
  readonly end: number;
  /** Of its first character that is neither space nor comment nor `---`. */
  readonly content: number;
}

/**
 * Splits a file where a line begins with `---`, which YAML allows nowhere else. Documents without content are left out.
 *
 * Source: YAML 1.2.2, "9.1.2 Document Markers".
 */
export const splitDocuments = (file: string): readonly DocumentSpan[] => {
  const documents: DocumentSpan[] = [];
  for (let start = 0; start < file.length;) {
    const end = nextMarker(file, start);
    const content = contentOffset(file, start, end);
    if (content < end) documents.push({ start, end, content });
    start = end;
  }
  return documents;
};

const nextMarker = (file: string, from: number): number => {
  for (let at = file.indexOf('\n---', from); at >= 0; at = file.indexOf('\n---', at + 1)) {
    if (isSpace(file.charCodeAt(at + 4))) return at + 1;
  }
  return file.length;
};

/** Also behind the last character of a text. */
const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13 || Number.isNaN(code);

const contentOffset = (file: string, start: number, end: number): number => {
  let at = file.startsWith('---', start) && isSpace(file.charCodeAt(start + 3)) ? start + 3 : start;
  for (; at < end; at++) {
    const code = file.charCodeAt(at);
    if (code === 35) {
      const lineEnd = file.indexOf('\n', at);
      if (lineEnd < 0) return end;
      at = lineEnd;
    } else if (!isSpace(code) && code !== 0xfe_ff) return at;
  }
  return end;
};
