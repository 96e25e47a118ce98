/** What colours mean in poimen's output. Plain text in a pipe; the same words either way. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  caution(text: string): string;
  /** Of secondary interest. */
  faint(text: string): string;
  strong(text: string): string;
}

const unchanged = (text: string): string => text;

export const plainStyle: Style = { good: unchanged, bad: unchanged, caution: unchanged, faint: unchanged, strong: unchanged };

/** Select Graphic Rendition. Source: ECMA-48, section 8.3.117. */
const rendition =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`;

export const colouredStyle: Style = {
  good: rendition(32, 39),
  bad: rendition(31, 39),
  caution: rendition(33, 39),
  faint: rendition(2, 22),
  strong: rendition(1, 22),
};
