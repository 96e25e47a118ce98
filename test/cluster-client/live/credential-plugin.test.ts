import { describe, expect, it } from 'vitest';
import { CredentialPlugin } from '../../../src/cluster/live/credential-plugin.ts';
import { connectTo } from './connect.ts';
import { startFaultyServer } from './faulty-server.ts';
import { resources } from '../../../src/kubernetes/resource.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const reference = { resource: resources.pods, namespace: 'llm-serving', name: 'a' };

/** A plugin that gives what it was told as its token. */
const echo = (interactiveMode: string | undefined) => ({
  apiVersion,
  command: 'sh',
  args: ['-c', `printf '{"kind":"ExecCredential","status":{"token":"%s"}}' "$(printf %s "$KUBERNETES_EXEC_INFO" | tr -d '"')"`],
  env: [{ name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify({ spec: { interactive: false } }) }],
  ...(interactiveMode === undefined ? {} : { interactiveMode }),
});

const tokenOf = async (plugin: CredentialPlugin, exec: object): Promise<unknown> => {
  const options = { headers: {} };
  await plugin.applyAuthentication({ name: 'tester', exec }, options);
  return (options.headers as Record<string, unknown>)['Authorization'];
};

const printing = (text: string) => ({ apiVersion, command: 'printf', args: ['%s', text] });

describe('a credential plugin', () => {
  it.each([
    ['Never', true, false],
    ['IfAvailable', true, true],
    ['IfAvailable', false, false],
    [undefined, true, true],
    ['Always', true, true],
  ])('tells the plugin whether it may ask somebody: interactiveMode %s, terminal %s', async (mode, hasTerminal, expected) => {
    expect(await tokenOf(new CredentialPlugin(hasTerminal), echo(mode))).toBe(`Bearer {spec:{interactive:${expected}}}`);
  });

  it('needs a terminal, and there is none', async () => {
    await expect(tokenOf(new CredentialPlugin(false), echo('Always'))).rejects.toMatchObject({
      code: 'CredentialPluginNeedsTerminal',
      exitCode: 3,
      message: 'the credential plugin "sh" of user "tester" needs a terminal, and there is none here',
    });
  });

  it('does not wait for input that nobody gives', async () => {
    const exec = { apiVersion, command: 'sh', args: ['-c', 'read line || echo "no input" >&2; exit 1'] };
    await expect(tokenOf(new CredentialPlugin(false), exec)).rejects.toThrow('no input');
  });

  it.each(['a-secret', '{"kind":"ExecCredential","secret":"a-secret"}', '{"kind":"Other","status":{"token":"a-secret"}}'])(
    'does not quote what a plugin printed',
    async (text) => {
      await expect(tokenOf(new CredentialPlugin(false), printing(text))).rejects.toThrow(
        /^what it printed is no ExecCredential with a status$/,
      );
    },
  );

  it('gives neither a token nor a whole certificate', async () => {
    const text = '{"kind":"ExecCredential","status":{"clientCertificateData":"x"}}';
    await expect(tokenOf(new CredentialPlugin(false), printing(text))).rejects.toThrow('neither a token nor a certificate with its key');
  });

  it('is asked again when its expiry has passed, not before', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const plugin = new CredentialPlugin(false, () => now);
    const exec = {
      apiVersion,
      command: 'sh',
      args: ['-c', 'printf \'{"kind":"ExecCredential","status":{"token":"%s","expirationTimestamp":"2026-01-01T00:01:00Z"}}\' "$$"'],
    };
    const first = await tokenOf(plugin, exec);
    expect(await tokenOf(plugin, exec)).toBe(first);
    now = Date.parse('2026-01-01T00:01:00Z');
    expect(await tokenOf(plugin, exec)).not.toBe(first);
  });

  it('is reported by a request with the user that it is for', async () => {
    const server = await startFaultyServer('HTTP/2');
    const { cluster } = await connectTo(server, { user: { exec: { apiVersion, command: 'sh', args: ['-c', 'exit 3'] } } });
    await expect(cluster.get(reference)).rejects.toMatchObject({
      code: 'CredentialPluginFailed',
      message: 'the credential plugin "sh" of user "tester" failed',
      detail: 'it ended with exit code 3',
    });
  });
});
