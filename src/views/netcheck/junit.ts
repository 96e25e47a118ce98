import type { NetcheckResult, OnlyFromResult } from '../../operations/netcheck.ts';

/** One expectation as a test: what was wished, and why it is not so. Source: the JUnit XML that CI systems read. */
export const renderNetcheckJunit = (result: NetcheckResult | OnlyFromResult): string => {
  const { name, failure } = result.kind === 'query' ? queryCase(result) : onlyFromCase(result);
  const body =
    failure === undefined
      ? '/>'
      : `>\n    <failure message="${escape(failure.message)}">${escape(failure.detail)}</failure>\n  </testcase>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="poimen netcheck" tests="1" failures="${failure === undefined ? 0 : 1}">`,
    `  <testcase classname="netcheck" name="${escape(name)}"${body}`,
    '</testsuite>',
    '',
  ].join('\n');
};

interface Case {
  readonly name: string;
  readonly failure?: { readonly message: string; readonly detail: string };
}

/** Without an expectation: that it is allowed. */
const queryCase = ({ from, to, port, protocol, verdict, egress, ingress, expectation }: NetcheckResult): Case => {
  const expected = expectation?.expected ?? 'allowed';
  const name = `${from} -> ${to} ${protocol} ${port} is ${expected}`;
  if (verdict === expected) return { name };
  const halves = [egress === undefined ? '' : `egress: ${egress.reason}`, ingress === undefined ? '' : `ingress: ${ingress.reason}`];
  return { name, failure: { message: `it is ${verdict}`, detail: halves.filter((text) => text !== '').join('\n') } };
};

const onlyFromCase = ({ only, to, port, protocol, verdict, meant, others }: OnlyFromResult): Case => {
  const name = `${to} ${protocol} ${port} from ${only.join(', ')} only`;
  if (verdict === 'yes') return { name };
  const lines = [
    ...meant.map(({ client, verdict: own, reason }) => `${client}: ${own}: ${reason}`),
    ...others.map(({ client, reason }) => `also ${client}: ${reason}`),
  ];
  return { name, failure: { message: verdict === 'no' ? 'it is not so' : 'it depends', detail: lines.join('\n') } };
};

/** Source: XML 1.0, section 2.4; control characters that XML cannot hold are left out. */
const escape = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- those are what is left out
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
