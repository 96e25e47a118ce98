/** What one place of a pattern accepts. */
type Token = 'any-run' | ((character: string) => boolean);

/**
 * Whether a pattern of Go's `path.Match` matches a whole text without slashes: `*`, `?`, `[a-z]`, `[^a]`, `\` before a character. A
 * malformed pattern matches nothing.
 *
 * Source: Go, package path, Match.
 */
export const matchesGlob = (pattern: string, text: string): boolean => {
  const tokens = readPattern(Array.from(pattern));
  return tokens !== undefined && matches(tokens, Array.from(text));
};

/** Goes back to the last `*` only: what an earlier one took can stay, whatever follows. */
const matches = (tokens: readonly Token[], text: readonly string[]): boolean => {
  let token = 0;
  let at = 0;
  let retry: { readonly token: number; at: number } | undefined;
  while (at < text.length || token < tokens.length) {
    const wanted = tokens[token];
    const character = text[at];
    if (wanted === 'any-run') {
      retry = { token, at };
      token++;
    } else if (wanted !== undefined && character !== undefined && wanted(character)) {
      token++;
      at++;
    } else if (retry !== undefined && retry.at < text.length) {
      at = ++retry.at;
      token = retry.token + 1;
    } else return false;
  }
  return true;
};

const readPattern = (characters: readonly string[]): readonly Token[] | undefined => {
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') tokens.push('any-run');
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const set = readSet(characters, at + 1);
      if (set === undefined) return undefined;
      tokens.push(set.accepts);
      at = set.end;
    } else {
      const plain = character === '\\' ? characters[++at] : character;
      if (plain === undefined) return undefined;
      tokens.push((other) => other === plain);
    }
  }
  return tokens;
};

interface CharacterSet {
  readonly accepts: (character: string) => boolean;
  /** Where the closing bracket stands. */
  readonly end: number;
}

/** From behind the opening bracket. */
const readSet = (characters: readonly string[], start: number): CharacterSet | undefined => {
  const isNegated = characters[start] === '^';
  let at = isNegated ? start + 1 : start;
  const ranges: { readonly low: string; readonly high: string }[] = [];
  const next = (): string | undefined => {
    const character = characters[at++];
    if (character === '\\') return characters[at++];
    return character === '-' || character === ']' ? undefined : character;
  };
  while (characters[at] !== ']' || ranges.length === 0) {
    const low = next();
    if (low === undefined) return undefined;
    let high: string | undefined = low;
    if (characters[at] === '-') {
      at++;
      high = next();
    }
    if (high === undefined) return undefined;
    ranges.push({ low, high });
  }
  return { end: at, accepts: (character) => ranges.some(({ low, high }) => low <= character && character <= high) !== isNegated };
};
