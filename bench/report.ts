import { availableParallelism, loadavg } from 'node:os';
import { isReached, type Figure } from './figure.ts';

export const renderTable = (figures: readonly Figure[]): string =>
  [
    '| what | against | figure | reach | medians | rounds |',
    '|---|---|---|---|---|---|',
    ...figures.map((figure) => `| ${cellsOf(figure).join(' | ')} |`),
  ].join('\n');

const cellsOf = (figure: Figure): readonly string[] => {
  const { what, against = '', value, atMost, medians, rounds } = figure;
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
  const reach = atMost === undefined ? '' : `${isReached(figure) ? '' : 'missed: '}<= ${atMost}`;
  const raw = Object.entries(medians).map(([name, median]) => `${name} ${median}`);
  return [what, against, shown, reach, raw.join(', '), String(rounds)];
};

/** `docs/benchmarks.md`. */
export const renderPage = (figures: readonly Figure[]): string => `# Benchmarks

\`npm run bench\` wrote this page on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${availableParallelism()} cores (${process.platform}, ${process.arch}),
load average ${loadavg()
  .map((load) => load.toFixed(1))
  .join(', ')}.

Each figure compares within this one run: its parts take turns, round by round, and the medians are compared. Milliseconds of another
machine or hour mean nothing beside these. "Reach" is what the project wants to keep below; no test depends on it.

${renderTable(figures)}

## What is measured

- **Start.** The built bundle through \`bin/poimen.js\`, with the compile cache warm, against \`node -e 0\` of the same Node. CPU is user and system
  time of all threads. The start of \`plan\` ends when its first request arrives at a server with TLS and HTTP/2 on loopback, the TLS handshake
  included; its CPU is what the kernel has booked until then.
- **Twin.** \`runbooks/clef.yaml\` on a fresh twin of \`examples/llm-serving\`, each in a process of its own: CPU from the finished plan to the
  result, journal and twin's disk writes included; loading, opening the twin and planning are not.
- **Policy engine.** Clusters of made-up objects, pods about as a kubelet leaves them, 2,000 NetworkPolicies; each evaluation in a process of
  its own that reads them from a file. All pairs: from the parsed objects to every class's row of ports. A change: a policy is replaced, and
  every pair that it may concern is read again. A query: the first that a new engine is asked, explained.
- **Control plane.** Real etcd, kube-apiserver, controller-manager and scheduler on loopback, kwok as kubelet: pods are gone 1 s after their
  deletion and ready 2 s after they were scheduled. poimen with its journal on and \`--no-probe\` takes turns, there and back, with a script:
  \`kubectl scale\`, \`wait --for=delete\`, \`scale\`, \`rollout status\`, \`patch service\`. All moments come from the API server's audit log: an
  observation counts from the answer to kwok's request (the pod's removal, the status that made it ready), a request from its arrival. The pods' own times
  are those from the deletion to the removal, and from the binding to readiness. The endpoints are followed by a watch.
- **Real node.** \`examples/llm-serving\` on a node of its own: kubelet, containerd, kube-proxy, kube-router; servers that start and end at once.
  poimen, probes and journal on, takes turns, there and back, with two scripts of \`kubectl\`: the one above, and one that also makes poimen's checks from the
  client's pod (the Service before, the new pod on its own address, the endpoints, three good answers over a second). A client in a pod asks all
  the while, every 5 ms, each time on a new connection; endpoints and pods are followed by watches. The pods' own times are those from
  a deletion until the containers have ended, and from the binding to readiness.
- **Requests** on Deployments, ReplicaSets, Pods, Services and EndpointSlices. The journal (ConfigMaps) is not in it, nor the preflight's two
  lists of pods beyond the namespace: on the node, and without one.
- **A plan at scale.** The same hand-over, planned by the built bundle while the cluster holds few and then many pods of others, in 40
  namespaces with a Deployment, a Service and a policy each, on 20 nodes that stay the same. Requests come from the audit log, bytes from a proxy in
  front of the API server (TLS included), peak memory from the process itself.
`;
