/** What kubectl and all other clients find a served twin by. JSON, which is YAML too. */
export const twinKubeconfig = ({ url, folder }: { readonly url: string; readonly folder: string }): string => {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'poimen-twin',
        // Nobody has to ask the server to know that nothing here is real.
        cluster: { server: url, extensions: [{ name: simulatedExtension, extension: { simulated: true, folder } }] },
      },
    ],
    users: [{ name: 'twin', user: {} }],
    contexts: [{ name: 'poimen-twin', context: { cluster: 'poimen-twin', user: 'twin' } }],
    'current-context': 'poimen-twin',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
};

export const simulatedExtension = 'twin.poimen.dev';
