import { stripVTControlCharacters } from 'node:util';

/**
 * What a server said, so that it can stand in a message: one line, without markup, control characters and characters that reorder text,
 * and not long. Empty where nothing is left.
 *
 * Source: Unicode Standard Annex 9, explicit directional formatting characters.
 */
export const quotedText = (text: string, maxLength = 200): string => {
  const plain = /^\s*(<!doctype|<html|<\?xml|<head|<body|<error)/i.test(text) ? withoutMarkup(text) : text;
  const line = stripVTControlCharacters(plain).replace(/\s+/g, ' ').replace(unprintable, '').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength).trimEnd()}...` : line;
};

// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]/g;

/** Good enough to be read, not to be trusted: nothing renders it. */
const withoutMarkup = (text: string): string =>
  text
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^<>]*>?/g, ' ')
    .replace(/&nbsp;/gi, ' ');
