import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReference } from '../../src/kubernetes/parse-reference.ts';
import { fullName } from '../../src/kubernetes/reference.ts';

const read = (text: string, namespace?: string): string => {
  const parsed = parseReference(text, namespace === undefined ? {} : { namespace });
  return parsed.kind === 'reference' ? fullName(parsed.reference) : parsed.message;
};

describe('parseReference', () => {
  it.each([
    ['deploy/clef-serve.llm-serving', 'deployment/clef-serve.llm-serving'],
    ['Deployment/clef-serve.llm-serving', 'deployment/clef-serve.llm-serving'],
    ['deployments.apps/clef-serve.llm-serving', 'deployment/clef-serve.llm-serving'],
    ['svc/clef-serve', 'service/clef-serve.given'],
    ['cm/a.b.c', 'configmap/a.b.c'],
    ['no/gpu-1.example.com', 'node/gpu-1.example.com'],
  ])('reads %s', (text, expected) => {
    expect(read(text, 'given')).toBe(expected);
  });

  it('splits at the last dot, with or without -n', () => {
    const parsed = parseReference('cm/kube-root-ca.crt.default', { namespace: 'given' });
    expect(parsed).toMatchObject({ reference: { name: 'kube-root-ca.crt', namespace: 'default' } });
  });

  it.each([
    ['clef-serve', 'KIND/NAME'],
    ['deploy/', 'KIND/NAME'],
    ['deploy/a/b', 'KIND/NAME'],
    ['frob/x', '"frob" is not a kind'],
    ['constructor/x', '"constructor" is not a kind'],
    ['deploy/clef-serve', 'no namespace: write deploy/clef-serve.NAMESPACE, or pass -n NAMESPACE'],
    ['deploy/Clef.llm', '"Clef" is not a valid object name'],
    ['deploy/a.', '"" is not a valid namespace name'],
    ['deploy/.llm', '"" is not a valid object name'],
  ])('refuses %s and says why', (text, reason) => {
    expect(read(text)).toContain(reason);
  });

  it('takes only the kinds that the place allows', () => {
    expect(parseReference('deploy/a.b', { kinds: ['Service'] })).toEqual({
      kind: 'error',
      message: '"deploy/a.b": Deployment cannot stand here; expected: Service',
    });
    expect(parseReference('svc/a.b', { kinds: ['Service'] }).kind).toBe('reference');
  });

  it('reads back what fullName prints', () => {
    const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,10}[a-z0-9])?$/);
    fc.assert(
      fc.property(fc.constantFrom('deployment', 'service', 'pod', 'networkpolicy'), label, label, (kind, name, namespace) => {
        const text = `${kind}/${name}.${namespace}`;
        expect(read(text)).toBe(text);
      }),
    );
  });
});
