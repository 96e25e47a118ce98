/** One call of kubectl, and how far its output has to be the same. */
export interface Entry {
  /** Arguments, separated by blanks; `~` is a blank in one of them. */
  readonly run: string;
  readonly input?: string;
  /** `text`: word by word. `table`: cell by cell, with ages left out. `columns`: the header only. `end`: the last line, since what comes before depends on how fast things went; `ends`: the first and
   * the last. Exit code and stderr always count. */
  readonly compare?: 'text' | 'table' | 'columns' | 'end' | 'ends';
  /** Interrupted when its output shows this. */
  readonly until?: RegExp;
  /** Called when the first line is there. */
  readonly meanwhile?: string;
}

const inNamespace = '-n llm-serving';

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: llm-serving, labels: {app: settings}}
data: {model: clef-flash, temperature: "0.2"}
`;

export const transcript: readonly Entry[] = [
  // what there is, and who asks
  { run: 'get nodes', compare: 'columns' },
  { run: 'auth can-i get pods' },
  { run: 'auth can-i delete nodes' },
  { run: 'get pods -A', compare: 'table' },
  { run: 'get nothing' },
  { run: 'get pods nothing' },
  { run: 'get deployments.v1.nothing' },

  // the example
  { run: 'apply -f namespaces.yaml -f runtime-class.yaml -f llm-models.yaml' },
  { run: `wait pvc/llm-models ${inNamespace} --for=jsonpath={.status.phase}=Bound --timeout=60s` },
  { run: 'apply -k . --dry-run=server' },
  { run: 'apply -k .' },
  { run: `rollout status deploy/clef-serve ${inNamespace} --timeout=60s`, compare: 'end' },
  { run: `wait deploy --all ${inNamespace} --for=condition=Available --timeout=60s` },
  { run: 'wait deploy --all -n poimen --for=condition=Available --timeout=60s' },
  { run: 'apply -k .' },
  { run: 'diff -k .' },
  { run: 'create -f clef-serve.yaml' },

  // get, in all forms
  { run: 'get pods -A', compare: 'table' },
  { run: `get deploy,rs,pods,svc,endpointslices,cm,pvc ${inNamespace}`, compare: 'table' },
  { run: `get deploy,rs,pods,svc,pvc ${inNamespace} -o wide`, compare: 'table' },
  { run: 'get pv,runtimeclass', compare: 'table' },
  { run: 'get netpol -A', compare: 'table' },
  { run: 'get ns llm-serving poimen', compare: 'table' },
  { run: `get all ${inNamespace}`, compare: 'table' },
  { run: `get deploy ${inNamespace} -o name` },
  { run: `get deploy clef-serve ${inNamespace} -o yaml` },
  { run: `get deploy clef-serve ${inNamespace} -o json` },
  { run: `get rs -l app=clef-serve ${inNamespace} -o yaml` },
  { run: `get pods -l app=clef-serve ${inNamespace} -o yaml` },
  { run: `get svc clef-serve ${inNamespace} -o yaml` },
  { run: `get endpointslices -l kubernetes.io/service-name=clef-serve ${inNamespace} -o yaml` },
  { run: `get pvc llm-models ${inNamespace} -o yaml` },
  { run: 'get pv llm-models -o yaml' },
  { run: 'get ns llm-serving -o yaml' },
  { run: 'get netpol llm-serving-ingress -n llm-serving -o yaml' },
  { run: `get deploy clef-serve ${inNamespace} -o jsonpath={.spec.replicas}/{.status.readyReplicas}` },
  { run: `get pods ${inNamespace} -o custom-columns=NAME:.metadata.name,PHASE:.status.phase,NODE:.spec.nodeName`, compare: 'table' },
  { run: `get pods ${inNamespace} -o go-template={{range~.items}}{{.status.phase}}{{end}}` },
  { run: `get pods ${inNamespace} --show-labels`, compare: 'table' },
  { run: `get pods ${inNamespace} -L app`, compare: 'table' },
  { run: `get pods ${inNamespace} --sort-by=.metadata.name --no-headers`, compare: 'table' },
  { run: 'get pods -A -l app=clef-serve', compare: 'table' },
  { run: 'get pods -A --field-selector=spec.nodeName=worker-1', compare: 'table' },
  { run: 'get pods -A --field-selector=spec.unknown=1' },
  { run: 'get pods -A -l app~in~(' },
  { run: 'get pods -A --chunk-size=1', compare: 'table' },
  { run: `get --raw /api/v1/namespaces/llm-serving/pods?limit=0&labelSelector=app=nothing` },
  { run: 'get --raw /healthz' },
  { run: 'get --raw /nothing' },

  // describe
  { run: `describe deploy clef-serve ${inNamespace}`, compare: 'table' },
  { run: `describe rs -l app=clef-serve ${inNamespace}`, compare: 'table' },
  { run: `describe pods -l app=clef-serve ${inNamespace}`, compare: 'table' },
  { run: `describe svc clef-serve ${inNamespace}`, compare: 'table' },
  { run: `describe netpol ${inNamespace}`, compare: 'table' },
  { run: `describe pvc llm-models ${inNamespace}`, compare: 'table' },
  { run: 'describe ns llm-serving', compare: 'table' },
  { run: `describe deploy nothing ${inNamespace}` },

  // scale
  { run: `scale deploy/clef-serve ${inNamespace} --replicas=0` },
  { run: `wait pods -l app=clef-serve ${inNamespace} --for=delete --timeout=60s`, compare: 'end' },
  { run: `get deploy,pods -l app=clef-serve ${inNamespace}`, compare: 'table' },
  { run: `scale deploy/clef-serve ${inNamespace} --replicas=1 --current-replicas=3` },
  { run: `scale deploy/clef-candle ${inNamespace} --replicas=1 --current-replicas=0` },
  { run: `rollout status deploy/clef-candle ${inNamespace} --timeout=60s`, compare: 'end' },
  { run: `get deploy ${inNamespace}`, compare: 'table' },
  { run: `get --raw /apis/apps/v1/namespaces/llm-serving/deployments/clef-candle/scale` },
  { run: 'scale deploy/nothing --replicas=1' },

  // patch, in all types
  { run: `patch svc clef-serve ${inNamespace} --type=merge -p {"spec":{"selector":{"app":"clef-candle"}}}` },
  { run: `patch svc clef-serve ${inNamespace} --type=json -p [{"op":"replace","path":"/spec/selector","value":{"app":"clef-candle"}}]` },
  { run: `patch svc clef-serve ${inNamespace} --type=json -p [{"op":"test","path":"/spec/selector/app","value":"nobody"}]` },
  { run: `patch svc clef-serve ${inNamespace} --type=json -p {"op":1}` },
  { run: `patch svc clef-serve ${inNamespace} -p {"metadata":{"labels":{"patched":"strategic"}}} -o yaml` },
  { run: `patch svc clef-serve ${inNamespace} --type=merge -p {"spec":{"ports":[{"port":99999}]}}` },
  {
    run: `patch deploy clef-candle ${inNamespace} -p {"spec":{"template":{"spec":{"containers":[{"name":"server","image":"registry.example/other:1"}]}}}} --dry-run=server -o jsonpath={.spec.template.spec.containers[*].image}`,
  },
  { run: `patch deploy clef-candle ${inNamespace} --subresource=scale --type=merge -p {"spec":{"replicas":1}}` },
  { run: `patch deploy clef-candle ${inNamespace} --type=merge -p {"spec":{"selector":{"matchLabels":{"app":"other"}}}}` },
  { run: `patch pods nothing ${inNamespace} -p {}` },
  { run: `label deploy clef-candle ${inNamespace} tier=model` },
  { run: `label deploy clef-candle ${inNamespace} tier=other` },
  { run: `label deploy clef-candle ${inNamespace} tier-` },
  { run: `annotate deploy clef-candle ${inNamespace} note=moved` },
  { run: `set image deploy/clef-candle ${inNamespace} server=registry.example/other:2 --dry-run=server` },
  { run: `get endpointslices -l kubernetes.io/service-name=clef-serve ${inNamespace}`, compare: 'table' },

  // apply, on both sides
  { run: 'apply -f -', input: configMap },
  { run: 'apply -f -', input: configMap },
  { run: 'apply -f -', input: configMap.replace('clef-flash', 'clef-pro') },
  { run: `apply view-last-applied cm/settings ${inNamespace}` },
  { run: `get cm settings ${inNamespace} -o yaml` },
  { run: 'apply --server-side --field-manager=other -f -', input: configMap },
  { run: 'apply --server-side --field-manager=other --force-conflicts -f -', input: configMap },
  { run: `get cm settings ${inNamespace} -o yaml --show-managed-fields` },
  { run: 'apply --server-side -f -', input: configMap.replace('settings', 'applied') },
  { run: 'apply -f -', input: configMap.replace('llm-serving', 'nowhere') },
  { run: 'apply -f -', input: configMap.replace('\ndata:', '\nunknown: 1\ndata:') },
  { run: 'apply -f - --validate=ignore --dry-run=server', input: configMap.replace('\ndata:', '\nunknown: 1\ndata:') },
  { run: 'apply -f - --validate=warn --dry-run=server', input: configMap.replace('\ndata:', '\nunknown: 1\ndata:') },
  { run: 'apply -f - --server-side', input: configMap.replace('\ndata:', '\nunknown: 1\ndata:') },
  { run: 'create -f -', input: configMap.replace('name: settings', 'name: other').replace('"0.2"', '0.2') },
  { run: `patch deploy clef-candle ${inNamespace} -p {"spec":{"replica":2}} --dry-run=server` },
  { run: 'apply -f -', input: configMap.replace('name: settings', 'name: Settings') },
  { run: 'apply -f -', input: 'not: [an object' },
  { run: 'create -f -', input: configMap },
  { run: 'create -f - --dry-run=server', input: configMap.replace('name: settings', 'generateName: settings-') },
  { run: 'replace -f -', input: configMap },
  { run: 'replace -f -', input: configMap.replace('settings', 'nothing') },

  // watch, rollouts
  { run: `get deploy clef-candle ${inNamespace} -w`, compare: 'table', until: /clef-candle/ },
  { run: `get pods -l app=clef-candle ${inNamespace} -w -o name`, until: /clef-candle/ },
  {
    run: `get pods -l app=clef-candle ${inNamespace} -w --output-watch-events`,
    meanwhile: `scale deploy/clef-candle ${inNamespace} --replicas=0`,
    until: /DELETED/,
    compare: 'ends',
  },
  {
    run: `get deploy clef-candle ${inNamespace} -w -o jsonpath={.status.readyReplicas}{"\\n"}`,
    meanwhile: `scale deploy/clef-candle ${inNamespace} --replicas=1`,
    until: /1\n/,
    compare: 'end',
  },
  { run: `rollout restart deploy/clef-candle ${inNamespace}` },
  { run: `rollout status deploy/clef-candle ${inNamespace} --timeout=60s`, compare: 'end' },
  { run: `rollout history deploy/clef-candle ${inNamespace}`, compare: 'table' },
  { run: `rollout undo deploy/clef-candle ${inNamespace}` },
  { run: `rollout status deploy/clef-candle ${inNamespace} --timeout=60s`, compare: 'end' },
  { run: `rollout pause deploy/clef-candle ${inNamespace}` },
  { run: `rollout resume deploy/clef-candle ${inNamespace}` },
  { run: `wait deploy/clef-candle ${inNamespace} --for=condition=Nothing --timeout=1s` },
  { run: 'wait deploy/nothing --for=condition=Available --timeout=1s' },

  // delete
  { run: `delete pods -l app=clef-candle ${inNamespace} --timeout=60s` },
  { run: `wait deploy/clef-candle ${inNamespace} --for=condition=Available --timeout=60s` },
  { run: `delete cm settings applied ${inNamespace}` },
  { run: `delete cm settings ${inNamespace}` },
  { run: `delete cm settings ${inNamespace} --ignore-not-found` },
  { run: `delete deploy clef-candle ${inNamespace} --dry-run=server` },
  { run: `delete deploy clef-candle ${inNamespace} --cascade=foreground --timeout=60s` },
  { run: `wait pods -l app=clef-candle ${inNamespace} --for=delete --timeout=60s`, compare: 'end' },
  { run: `get deploy,rs,pods -l app=clef-candle ${inNamespace}`, compare: 'table' },
  { run: `delete deploy --all ${inNamespace} --wait=false` },
  { run: `delete svc reasoning-long-predictor ${inNamespace}` },
  { run: 'delete -f poimen-graphql.yaml --timeout=60s' },
  { run: 'cordon worker-1' },
  { run: 'get nodes', compare: 'columns' },
  { run: 'delete ns poimen --timeout=60s' },
  { run: 'get ns poimen' },
  { run: 'get all -n poimen', compare: 'table' },
  { run: 'uncordon worker-1' },
];
