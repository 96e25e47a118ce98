/** A difference between the served twin and a real control plane that is meant to be: what is taken out of both outputs before they are compared. */
export interface ExcusedDifference {
  /** What the twin does instead, and why. */
  readonly reason: string;
  readonly leaveOut: readonly RegExp[];
}

/** Five at the most. */
export const excusedDifferences: readonly ExcusedDifference[] = [
  {
    reason: 'The twin records no events: nothing that a hand-over waits for is said by one.',
    leaveOut: [/^Events:[^]*?(?=\n\n|$(?![^]))/gm],
  },
  {
    reason:
      'The twin has no service accounts: no token is mounted in its pods, and no namespace is given an account and a root certificate.',
    leaveOut: [
      / *- mountPath: \/var\/run\/secrets\/kubernetes\.io\/serviceaccount\n.*\n.*readOnly: true\n/g,
      / *\/var\/run\/secrets\/kubernetes\.io\/serviceaccount from kube-api-access-\w{5} \(ro\)\n/g,
      / *- name: kube-api-access-\w{5}\n(?: {6}.*\n)*/g,
      / *kube-api-access-\w{5}:\n(?: {4}.*\n)*/g,
      /\n?NAME +DATA +AGE\nconfigmap\/kube-root-ca\.crt.*\n/g,
    ],
  },
  {
    reason: 'Beside the real control plane kwok plays the kubelet, with words of its own: identifiers, addresses, the order of conditions.',
    leaveOut: [
      /containerd:\/\/[0-9a-f]{64}/g,
      /\b192\.0\.2\.\d+\b/g,
      /^ +lastState: \{\}\n/gm,
      /^ {4}conditions:\n(?:(?: {4}- | {6}).*\n)*/gm,
      /^Conditions:\n +Type +Status *\n(?: +(?:PodScheduled|Initialized|ContainersReady|Ready|PodReadyToStartContainers) .*\n)*/gm,
    ],
  },
  {
    reason: 'The twin does not protect claims and volumes that are in use: it deletes them at once.',
    leaveOut: [/^ +finalizers:\n +- kubernetes\.io\/pvc?-protection\n/gm, /^Finalizers: +\[.*\]\n/gm],
  },
  {
    reason: 'What is wrong with a selector is said in other words; that it cannot be parsed is said in the same.',
    leaveOut: [/(?<=unable to parse ).*/g],
  },
];

export const withoutExcused = (text: string): string =>
  excusedDifferences.flatMap(({ leaveOut }) => leaveOut).reduce((result, pattern) => result.replaceAll(pattern, ''), text);
