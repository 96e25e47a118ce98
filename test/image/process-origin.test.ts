import { describe, expect, it } from 'vitest';
import type { Container, PodSpec } from '../../src/kubernetes/pod.ts';
import { mountOver, processOrigin, type ImageCommand } from '../../src/image/process-origin.ts';

const image: ImageCommand = { entrypoint: ['/usr/local/bin/candle-vllm'], cmd: ['--port', '8080'], env: ['PATH=/usr/local/bin:/bin'] };

const originOf = (container: Omit<Container, 'name'>, volumes: PodSpec['volumes'] = [], config: ImageCommand | undefined = image) => {
  const named = { name: 'candle', ...container };
  return processOrigin({ containers: [named], volumes }, named, config);
};

const models = [{ name: 'models', persistentVolumeClaim: { claimName: 'llm-models' } }];
const atModels = { volumeMounts: [{ name: 'models', mountPath: '/mnt/models' }] };

describe('a process', () => {
  it("is the image's where the spec says nothing", () => {
    expect(originOf({})).toEqual({ kind: 'image', runs: '/usr/local/bin/candle-vllm --port 8080' });
  });

  it("is the image's when args alone are replaced, data on a volume among them", () => {
    expect(originOf({ ...atModels, args: ['--model', '/mnt/models/qwen'] }, models)).toEqual({
      kind: 'image',
      runs: '/usr/local/bin/candle-vllm --model /mnt/models/qwen',
    });
  });

  it('is not, when the command is on a volume', () => {
    expect(originOf({ ...atModels, command: ['/mnt/models/bin/candle-vllm'], args: ['--port', '8080'] }, models)).toEqual({
      kind: 'elsewhere',
      runs: '/mnt/models/bin/candle-vllm --port 8080',
      because: '/mnt/models/bin/candle-vllm is on claim llm-models, mounted at /mnt/models',
    });
  });

  it.each<[string, Omit<Container, 'name'>]>([
    ['a volume is mounted over the program', { volumeMounts: [{ name: 'models', mountPath: '/usr/local' }] }],
    ['one file is mounted over the program', { volumeMounts: [{ name: 'models', mountPath: '/usr/local/bin/candle-vllm', subPath: 'x' }] }],
    ['an interpreter runs a program on a volume', { ...atModels, command: ['python3', '-u', '/mnt/models/serve.py'] }],
    ['a shell does', { ...atModels, command: ['/bin/sh', '-ec', 'cd /; X=1 exec "/mnt/models/bin/candle-vllm" --port 8080'] }],
    ['a shell does, behind another program', { ...atModels, command: ['tini', '--', 'bash', '-c', 'true && /mnt/models/run.sh'] }],
    ['the working directory is on a volume', { ...atModels, workingDir: '/mnt/models', command: ['./bin/candle-vllm'] }],
    ['a way with dots leads there', { ...atModels, command: ['/usr/../mnt/./models//bin/x'] }],
    ['libraries are looked for on a volume', { ...atModels, env: [{ name: 'LD_PRELOAD', value: '/mnt/models/fix.so' }] }],
    ['modules are', { ...atModels, env: [{ name: 'PYTHONPATH', value: '/app:/mnt/models/py' }] }],
    ['it installs at start', { command: ['sh', '-c', 'pip  install --quiet vllm && exec vllm serve'] }],
    ['it fetches at start', { command: ['bash', '-lc', 'curl -L https://example.com/x -o /tmp/x; /tmp/x'] }],
  ])('is not, when %s', (_, container) => {
    expect(originOf(container, models)).toMatchObject({ kind: 'elsewhere' });
  });

  it.each<[string, Omit<Container, 'name'>]>([
    ['a folder with a similar name', { volumeMounts: [{ name: 'models', mountPath: '/usr/local/bi' }] }],
    ['data beside the program', { volumeMounts: [{ name: 'models', mountPath: '/usr/local/share' }] }],
    ['an environment variable for data', { ...atModels, env: [{ name: 'MODEL', value: '/mnt/models/x' }] }],
  ])('is not taken for foreign because of %s', (_, container) => {
    expect(originOf(container, models)).toMatchObject({ kind: 'image' });
  });

  it("takes the image's entrypoint and environment into account", () => {
    const config = { entrypoint: ['/entrypoint.sh'], cmd: [], env: ['LD_LIBRARY_PATH=/mnt/models/lib'] };
    expect(originOf(atModels, models, config)).toMatchObject({
      because: 'LD_LIBRARY_PATH: /mnt/models/lib is on claim llm-models, mounted at /mnt/models',
    });
  });
});

describe('mountOver', () => {
  it('names the deepest mount that stands over a path', () => {
    const container = {
      name: 'c',
      volumeMounts: [
        { name: 'a', mountPath: '/usr' },
        { name: 'b', mountPath: '/usr/local/' },
      ],
    };
    const spec = { containers: [container], volumes: [{ name: 'a' }, { name: 'b' }] };
    expect(mountOver(spec, container, '/usr/local/bin/x')).toBe('volume b, mounted at /usr/local');
    expect(mountOver(spec, container, '/usr/bin/x')).toBe('volume a, mounted at /usr');
    expect(mountOver(spec, container, '/bin/x')).toBeUndefined();
  });
});
