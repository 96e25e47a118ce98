/** One document of a file. */
export interface DocumentText {
  /** With its `---`, where it has one. */
  readonly text: string;
  /** Of its first character in the file. */
  readonly offset: number;
  /** Of its first character that is neither space nor comment nor `---`; -1 when there is none. */
  readonly content: number;
}

/** Splits a file where a line begins with `---`, which YAML allows nowhere else. Source: YAML 1.2.2, "9.1.2 Document Markers". */
export const splitDocuments = (file: string): readonly DocumentText[] => {
  const documents: DocumentText[] = [];
  let offset = 0;
  while (offset < file.length) {
    const end = nextMarker(file, offset);
    const text = file.slice(offset, end);
    documents.push({ text, offset, content: contentOffset(text) });
    offset = end;
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

const contentOffset = (text: string): number => {
  let at = text.startsWith('---') && isSpace(text.charCodeAt(3)) ? 3 : 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 35) {
      const end = text.indexOf('\n', at);
      if (end < 0) return -1;
      at = end;
    } else if (!isSpace(code) && code !== 0xfe_ff) return at;
  }
  return -1;
};
