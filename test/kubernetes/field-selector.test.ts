import { describe, expect, it } from 'vitest';
import { matchesFields, parseFieldSelector } from '../../src/kubernetes/field-selector.ts';
import { SelectorSyntaxError } from '../../src/kubernetes/label-selector.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'clef-serve-1', namespace: 'llm-serving' },
  spec: { nodeName: 'gpu-1', hostNetwork: true },
  status: { phase: 'Running', message: 'a,b=c\\d' },
};

describe('field selectors', () => {
  it.each([
    ['', true],
    ['metadata.name=clef-serve-1', true],
    ['metadata.name==clef-serve-1', true],
    ['metadata.name!=clef-serve-1', false],
    ['metadata.name=clef-serve-1,status.phase!=Failed', true],
    ['metadata.name=clef-serve-1,status.phase=Failed', false],
    ['spec.hostNetwork=true', true],
    ['status.nominatedNodeName=', true],
    ['spec.nodeName=', false],
    ['constructor.name=Object', false],
    ['status.message=a\\,b\\=c\\\\d', true],
  ])('"%s" matches: %s', (text, expected) => {
    expect(matchesFields(parseFieldSelector(text), pod)).toBe(expected);
  });

  it.each(['metadata.name', '=x', 'a=b=c', 'a=\\x', '!a'])('refuses "%s"', (text) => {
    expect(() => parseFieldSelector(text)).toThrow(SelectorSyntaxError);
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['metadata.name=a\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ])('says what is wrong with "%s" in the words of kube-apiserver 1.34', (text, problem) => {
    expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ problem }));
  });
});
