/** How clients, and poimen itself, know that what they talk to is simulated. */
export const simulatedSuffix = '+poimen-twin';

/** Source: apimachinery `pkg/version`, Info. The behaviour is that of this version of Kubernetes. */
export const versionInfo = {
  major: '1',
  minor: '34',
  gitVersion: `v1.34.4${simulatedSuffix}`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
} as const;
