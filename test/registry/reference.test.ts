import { describe, expect, it } from 'vitest';
import { PoimenError } from '../../src/errors/poimen-error.ts';
import { parseImageReference, referenceText } from '../../src/registry/reference.ts';

const hex = 'a'.repeat(64);
const errorOf = (text: string): PoimenError => {
  try {
    parseImageReference(text);
  } catch (error) {
    if (error instanceof PoimenError) return error;
    throw error;
  }
  throw new Error(`"${text}" was parsed`);
};

describe('image references', () => {
  it.each([
    ['busybox', 'docker.io/library/busybox'],
    ['busybox:1.36', 'docker.io/library/busybox:1.36'],
    ['curlimages/curl', 'docker.io/curlimages/curl'],
    ['index.docker.io/library/busybox', 'docker.io/library/busybox'],
    ['docker.io/busybox', 'docker.io/library/busybox'],
    ['localhost/tools', 'localhost/tools'],
    ['LOCAL/tools', 'LOCAL/tools'],
    ['registry.example:5000/llm/candle:sm70', 'registry.example:5000/llm/candle:sm70'],
    ['[fd00::1]:5000/candle', '[fd00::1]:5000/candle'],
    [`candle:sm70@sha256:${hex}`, `docker.io/library/candle:sm70@sha256:${hex}`],
    [`r.example/candle@sha512:${hex}${hex}`, `r.example/candle@sha512:${hex}${hex}`],
    ['docker:5000/candle', 'docker:5000/candle'],
    ['r.example/a__b/c---d/e.f:V_1.-2', 'r.example/a__b/c---d/e.f:V_1.-2'],
  ])('%s is %s', (text, full) => {
    expect(referenceText(parseImageReference(text))).toBe(full);
  });

  it.each([
    ['oci:images', { kind: 'layout', directory: 'images', tag: undefined, digest: undefined }],
    ['oci:/tmp/images:sm70', { kind: 'layout', directory: '/tmp/images', tag: 'sm70', digest: undefined }],
    ['oci:C:/images', { kind: 'layout', directory: 'C:/images', tag: undefined, digest: undefined }],
    [`oci:a@b/images@sha256:${hex}`, { kind: 'layout', directory: 'a@b/images', tag: undefined, digest: `sha256:${hex}` }],
  ])('%s is a layout', (text, reference) => {
    expect(parseImageReference(text)).toEqual(reference);
  });

  it.each([
    ['', 'it is empty'],
    ['r.example/Candle', '"Candle" has capitals, and a repository\'s name is lower case'],
    ['r.example/a//b', 'between two slashes, or behind the last, nothing stands'],
    ['r.example/', 'it names no repository'],
    ['r.example/candle:', 'nothing follows the colon, where a tag is expected'],
    ['r.example/candle:-x', '"-x" is no tag: letters, digits, "_", "." and "-", the first of them neither "." nor "-"'],
    [`r.example/candle:${'x'.repeat(129)}`, 'a tag has at most 128 characters, and this one has 129'],
    ['r.example/-candle', '"-candle" is no part of a repository\'s name: letters and digits, between them ".", "_", "__" or dashes'],
    ['r.example/../candle', '".." is no part of a repository\'s name: letters and digits, between them ".", "_", "__" or dashes'],
    ['candle@sha256:abc', 'sha256 has 64 digits, and these are 3'],
    [`candle@sha256:${hex.toUpperCase()}`, 'the digits of a digest are lower case'],
    ['candle@md5:abc', 'the algorithm "md5" cannot be checked here; sha256 and sha512 can'],
    ['candle@latest', 'a digest is ALGORITHM:HEX, as in sha256:4f53...'],
    ['https://r.example/candle', '"https:" is not part of a reference'],
    ['docker://r.example/candle', '"docker:" is not part of a reference'],
    ['r.example:99999/candle', '99999 is no port'],
    ['-r.example/candle', '"-r.example" is no host name with or without a port'],
    ['r.example/can dle', 'the character at position 14 has no place in it'],
    ['r.example/candle\u001b[2J', 'the character at position 17 has no place in it'],
    [hex, 'it is an image id, which no registry knows'],
    [`r.example/${'a'.repeat(256)}`, "a repository's name has at most 255 characters, and this one has 256"],
    ['oci:', 'it names no folder'],
    ['oci:images:-x', '"-x" is no tag: letters, digits, "_", "." and "-", the first of them neither "." nor "-"'],
  ])('%j is refused, and the error says why', (text, why) => {
    const { code, exitCode, detail, nextSteps } = errorOf(text);
    expect({ code, exitCode, detail }).toEqual({ code: 'ReferenceInvalid', exitCode: 2, detail: why });
    expect(nextSteps).toHaveLength(1);
  });
});
