import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatLabelSelector,
  matchesEqualities,
  matchesRequirements,
  matchesSelector,
  parseLabelSelector,
  SelectorSyntaxError,
  type LabelSelector,
  type LabelSelectorRequirement,
} from '../../src/kubernetes/label-selector.ts';

const labels = { app: 'clef-serve', tier: 'gpu', empty: '' };

describe('matchesSelector', () => {
  it('lets an absent selector select nothing and an empty one everything', () => {
    expect(matchesSelector(undefined, labels)).toBe(false);
    expect(matchesSelector({}, labels)).toBe(true);
    expect(matchesSelector({}, undefined)).toBe(true);
    expect(matchesSelector({ matchLabels: {}, matchExpressions: [] }, undefined)).toBe(true);
  });

  it.each<[string, LabelSelectorRequirement, boolean]>([
    ['In with the value', { key: 'app', operator: 'In', values: ['x', 'clef-serve'] }, true],
    ['In without the key', { key: 'zone', operator: 'In', values: [''] }, false],
    ['NotIn with another value', { key: 'app', operator: 'NotIn', values: ['x'] }, true],
    ['NotIn with the value', { key: 'app', operator: 'NotIn', values: ['clef-serve'] }, false],
    ['NotIn without the key', { key: 'zone', operator: 'NotIn', values: ['x'] }, true],
    ['Exists with an empty value', { key: 'empty', operator: 'Exists' }, true],
    ['Exists without the key', { key: 'zone', operator: 'Exists' }, false],
    ['DoesNotExist with the key', { key: 'app', operator: 'DoesNotExist' }, false],
    ['DoesNotExist without the key', { key: 'zone', operator: 'DoesNotExist' }, true],
    ['a key that every object of JavaScript has', { key: 'constructor', operator: 'Exists' }, false],
  ])('%s', (_case, expression, expected) => {
    expect(matchesSelector({ matchExpressions: [expression] }, labels)).toBe(expected);
  });

  it('asks for labels and expressions together', () => {
    const selector: LabelSelector = {
      matchLabels: { app: 'clef-serve' },
      matchExpressions: [{ key: 'tier', operator: 'In', values: ['cpu'] }],
    };
    expect(matchesSelector(selector, labels)).toBe(false);
    expect(matchesSelector(selector, { ...labels, tier: 'cpu' })).toBe(true);
  });
});

describe("matchesEqualities: a Service's selector", () => {
  it('selects nothing when it is empty, unlike a LabelSelector', () => {
    expect(matchesEqualities({}, labels)).toBe(false);
    expect(matchesEqualities(undefined, labels)).toBe(false);
  });

  it('asks for every pair', () => {
    expect(matchesEqualities({ app: 'clef-serve', tier: 'gpu' }, labels)).toBe(true);
    expect(matchesEqualities({ app: 'clef-serve', tier: 'cpu' }, labels)).toBe(false);
    expect(matchesEqualities({ zone: 'a' }, labels)).toBe(false);
  });
});

describe('parseLabelSelector', () => {
  const matches = (text: string): boolean => matchesRequirements(parseLabelSelector(text), labels);

  it.each([
    ['', true],
    ['app=clef-serve', true],
    ['app==clef-serve', true],
    [' app = clef-serve , tier = gpu ', true],
    ['app!=clef-serve', false],
    ['zone!=a', true],
    ['app in (x, clef-serve)', true],
    ['app in(x)', false],
    ['app notin (x,y)', true],
    ['zone notin (a)', true],
    ['app', true],
    ['!app', false],
    ['! zone', true],
    ['empty=', true],
    ['app=', false],
    ['empty in (,x)', true],
    ['in in (a)', false],
  ])('"%s" matches: %s', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  it('compares integers with > and <, and nothing else', () => {
    expect(matchesRequirements(parseLabelSelector('cards>3'), { cards: '4' })).toBe(true);
    expect(matchesRequirements(parseLabelSelector('cards>4'), { cards: '4' })).toBe(false);
    expect(matchesRequirements(parseLabelSelector('cards<5'), { cards: 'four' })).toBe(false);
    expect(matchesRequirements(parseLabelSelector('cards<5'), {})).toBe(false);
  });

  it.each([
    'app=clef serve',
    'app in',
    'app in ()x',
    'app in (a',
    ',app',
    'app,',
    '=x',
    'app in a',
    'app>x',
    '-app',
    'app=-x',
    'a/b/c=d',
    'a b',
  ])('refuses "%s", as the server does', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(SelectorSyntaxError);
  });

  it.each([
    ['app in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['app in (,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['app in (a b', "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ['app in a', "unable to parse requirement: found 'a' expected: '('"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=(b)', "unable to parse requirement: found '(', expected: identifier"],
    ['a<', `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
    [
      `a in (b,${'c'.repeat(64)})`,
      `unable to parse requirement: values[1][a]: Invalid value: "${'c'.repeat(64)}": must be no more than 63 characters`,
    ],
  ])('says what is wrong with "%s" in the words of kube-apiserver 1.34', (text, problem) => {
    expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ problem }));
  });

  it('reads what formatLabelSelector writes as the same selector', () => {
    const key = fc.constantFrom('app', 'tier', 'example.com/zone');
    const value = fc.constantFrom('a', 'b', 'in', 'notin', '');
    const expression: fc.Arbitrary<LabelSelectorRequirement> = fc.oneof(
      fc.record({
        key,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
    );
    const selector = fc.record({ matchLabels: fc.dictionary(key, value), matchExpressions: fc.array(expression, { maxLength: 3 }) });
    fc.assert(
      fc.property(selector, fc.dictionary(key, value), (wanted, carried) => {
        expect(matchesRequirements(parseLabelSelector(formatLabelSelector(wanted)), carried)).toBe(matchesSelector(wanted, carried));
      }),
    );
  });
});

describe('formatLabelSelector', () => {
  it('writes one form for one selector, whatever the order of its labels', () => {
    expect(
      formatLabelSelector({ matchLabels: { b: '2', a: '1' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['x', 'y'] }] }),
    ).toBe('a=1,b=2,c in (x,y)');
  });
});
