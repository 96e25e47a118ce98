import { describe, expect, it, vi } from 'vitest';
import { InstalledPoimen } from './installed-poimen.ts';

vi.setConfig({ testTimeout: 60_000 }); // the cores may be busy with other files

// Folders that are not as they should be, asked through the installed program in a pipe.

const poimen = new InstalledPoimen();

const namespace = (name: string) => `apiVersion: v1
kind: Namespace
metadata: {name: ${name}}
`;

const pod = (name: string, inNamespace: string, address?: string) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${inNamespace}, labels: {app: ${name}}}
spec: {containers: [{name: main, image: x, ports: [{name: http, containerPort: 8080}]}]}
${address === undefined ? '' : `status: {phase: Running, podIP: ${address}, podIPs: [{ip: ${address}}]}\n`}`;

const webService = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
`;

/** Lets in to web what the rule says; at the end of a file of documents, so that its lines can be counted. */
const policy = (rule: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress:
    - ${rule}
`;

const base = [namespace('shop'), pod('web', 'shop', '10.0.0.2'), pod('till', 'shop', '10.0.0.1'), webService];
const tillToWeb = ['pod/till.shop', 'pod/web.shop', '--port', '8080'];

const netcheck = (files: Readonly<Record<string, readonly string[]>>, ...args: readonly string[]) => {
  const folder = `case-${cases++}`;
  for (const [name, documents] of Object.entries(files)) poimen.write(`${folder}/${name}`, documents.join('---\n'));
  const { exitCode, stdout, stderr } = poimen.run('netcheck', '-f', folder, ...args);
  return { exitCode, stdout: stdout.replaceAll(folder, 'DIR'), stderr: stderr.replaceAll(folder, 'DIR') };
};
let cases = 0;

describe('a policy that an API server rejects is told with its place, and the rest goes on', () => {
  it.each([
    ['a port out of range', 'ports: [{port: 70000}]', 'port 70000 is out of range'],
    ['endPort without a numeric port', 'ports: [{port: http, endPort: 9000}]', 'endPort without a numeric port'],
    ['a bad CIDR', 'from: [{ipBlock: {cidr: 10.0.0/8}}]', '"10.0.0/8" is not a range of addresses'],
    [
      'except outside its cidr',
      'from: [{ipBlock: {cidr: 10.0.0.0/8, except: [192.168.0.0/16]}}]',
      '192.168.0.0/16 is not a part of 10.0.0.0/8',
    ],
    [
      'an impossible operator',
      'from: [{podSelector: {matchExpressions: [{key: a, operator: Like, values: [b]}]}}]',
      'operator cannot be "Like"',
    ],
  ])('%s', (_what, rule, message) => {
    const good = policy('from: [{podSelector: {matchLabels: {app: till}}}]').replace('name: web', 'name: good');
    const { exitCode, stdout } = netcheck({ 'all.yaml': [...base, good], 'bad.yaml': [policy(rule)] }, ...tillToWeb);
    expect(stdout).toContain(`caution: DIR/bad.yaml:7: NetworkPolicy web: ${message}; left out`);
    expect(stdout).toContain('shop/good');
    expect(exitCode).toBe(0);
  });
});

describe('names', () => {
  it('a Service and a pod of the same name: which one is asked', () => {
    expect(netcheck({ 'all.yaml': base }, 'pod/till.shop', 'web.shop', '--port', '8080')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: TO: "web" can be svc/web.shop or pod/web.shop\n  next: write which one is meant: svc/web.shop\n',
    });
    expect(netcheck({ 'all.yaml': base }, 'pod/till.shop', 'svc/web.shop', '--port', '80').exitCode).toBe(0);
  });

  it('a short name that is ambiguous between namespaces', () => {
    const elsewhere = [namespace('desk'), pod('till', 'desk', '10.0.0.3')];
    expect(netcheck({ 'all.yaml': [...base, ...elsewhere] }, 'till', 'pod/web.shop', '--port', '8080')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: FROM: "till" can be pod/till.desk or pod/till.shop
  there is none of that name in default
  next: write which one is meant: pod/till.desk
`,
    });
  });

  it('an unknown namespace', () => {
    expect(netcheck({ 'all.yaml': base }, 'pod/till.shopp', 'pod/web.shop', '--port', '8080')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: FROM: there is no namespace shopp\n  known: shop\n  next: did you mean shop?\n',
    });
  });

  it('labels without a namespace, where there is no default', () => {
    expect(netcheck({ 'all.yaml': base }, 'pod/till.shop', 'app=web', '--port', '8080')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: TO: there is no namespace default\n  known: shop\n  next: name the namespace that is meant: -n shop\n',
    });
    expect(netcheck({ 'all.yaml': base }, 'pod/till.shop', 'app=web', '-n', 'shop', '--port', '8080').exitCode).toBe(0);
  });

  it.each(['0', '65536', '80.5', 'x'])('--port %s is no port', (port) => {
    const { exitCode, stderr } = netcheck({ 'all.yaml': base }, 'pod/till.shop', 'pod/web.shop', '--port', port);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--port');
  });
});

describe('a folder', () => {
  it('with no policies: everything is open, and the answer says why', () => {
    const { exitCode, stdout } = netcheck({ 'all.yaml': base }, ...tillToWeb);
    expect(stdout).toContain('note: there is no policy in DIR: every port is open\n');
    expect(exitCode).toBe(0);
  });

  it('with a Helm chart: said, not rendered', () => {
    const { exitCode, stderr } = netcheck(
      { 'Chart.yaml': ['apiVersion: v2\nname: x\n'], 'templates/p.yaml': ['kind: {{ .x }}\n'] },
      ...tillToWeb,
    );
    expect(stderr).toContain('DIR/Chart.yaml:1: a Helm chart, whose templates are not rendered here');
    expect(exitCode).toBe(2);
  });

  it('with an alias bomb: what is unread is told, and the answer depends on it', () => {
    const levels = Array.from('bcdefghij', (name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[index]}`).join(', ')}]\n`);
    const bomb = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\na: &a [${Array(10).fill(1).join(', ')}]\n${levels.join('')}`;
    const { exitCode, stdout } = netcheck({ 'all.yaml': base, 'bomb.yaml': [bomb] }, ...tillToWeb);
    expect(stdout).toContain('depends on DIR/bomb.yaml:1, which cannot be read; without that allowed');
    expect(exitCode).toBe(8);
  });

  it('with a List in JSON beside documents in YAML: the policy of the one decides over the pods of the other', () => {
    const item = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'shut', namespace: 'shop' },
      spec: { podSelector: {} },
    };
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item] }, undefined, 2);
    const { exitCode, stdout } = netcheck({ 'all.yaml': base, 'list.json': [list] }, ...tillToWeb);
    expect(stdout).toContain('shop/shut isolates the pod and has no rule for pod shop/till on TCP 8080');
    expect(stdout).toContain('DIR/list.json:9\n');
    expect(exitCode).toBe(7);
  });

  it('with pods without an IP: judged by labels, which is said; an address range leaves it open', () => {
    const withoutIp = [namespace('shop'), pod('web', 'shop', '10.0.0.2'), pod('till', 'shop')];
    const byLabel = netcheck({ 'all.yaml': [...withoutIp, policy('from: [{podSelector: {matchLabels: {app: till}}}]')] }, ...tillToWeb);
    expect(byLabel.stdout).toContain('caution: till: without an address yet, judged by labels\n');
    expect(byLabel.exitCode).toBe(0);
    const byAddress = policy('from: [{ipBlock: {cidr: 10.0.0.0/8}}]');
    expect(netcheck({ 'all.yaml': [...withoutIp, byAddress] }, ...tillToWeb, '--cni', 'calico').exitCode).toBe(8);
    expect(netcheck({ 'all.yaml': [...base, byAddress] }, ...tillToWeb, '--cni', 'calico').exitCode).toBe(0);
  });
});
