import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageDirectory } from './commands.ts';
import { median, milliseconds, type Figure } from './figure.ts';

const files = 1000;
const documentsOfFile = 20;

/** Manifests as people write them, about 20 MB. */
export const measureManifests = async (rounds: number): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  try {
    for (let file = 0; file < files; file++) await writeFile(join(folder, `${file}.yaml`), manifests(file));
    const slow = await read('yaml', folder); // once: it is far off
    const own: number[] = [];
    const fast: number[] = [];
    for (let round = 0; round < rounds; round++) {
      own.push(await read('poimen', folder));
      fast.push(await read('js-yaml', folder));
    }
    return [
      {
        what: `reading ${files} YAML files, ${files * documentsOfFile} objects: CPU`,
        against: 'the fastest maintained parser alone (js-yaml)',
        value: median(own) / median(fast),
        atMost: 1.1,
        medians: { poimen: milliseconds(median(own)), 'js-yaml': milliseconds(median(fast)), yaml: milliseconds(slow) },
        rounds,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
};

const read = async (reader: string, folder: string): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(packageDirectory, 'bench/manifests-process.ts'), reader, folder]);
  return Number(stdout);
};

const manifests = (file: number): string =>
  Array.from(
    { length: documentsOfFile / 2 },
    (_, index) => `${deployment(`app-${file}-${index}`)}---\n${policy(`app-${file}-${index}`)}`,
  ).join('---\n');

const deployment = (name: string): string => `# What serves it.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
  labels:
    app: ${name}
    app.kubernetes.io/part-of: shop
spec:
  replicas: 2
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
        app.kubernetes.io/part-of: shop
      annotations:
        example.org/note: |
          One line of a longer text.
          Another one: with a colon, and "quotes".
    spec:
      serviceAccountName: ${name}
      containers:
        - name: main
          image: registry.example/shop/${name}:1.2.3
          args: ["--port", "8080", '--verbose', --log=json]
          env:
            - name: MODE
              value: "production"
            - name: NODE
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 10
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
`;

const policy = (name: string): string => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
  namespace: shop
spec:
  podSelector:
    matchLabels:
      app: ${name}
  policyTypes:
    - Ingress
  ingress:
    # Both selectors in one entry.
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: front
          podSelector:
            matchLabels:
              app: gateway
      ports:
        - protocol: TCP
          port: http
`;
