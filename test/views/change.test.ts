import { describe, expect, it } from 'vitest';
import { renderChange } from '../../src/views/change.ts';

describe('renderChange', () => {
  it.each([
    ['/spec/replicas', 1, 0, 'replicas 1 -> 0'],
    ['/spec/selector', { app: 'a', tier: 'x' }, { app: 'b' }, 'selector app=a,tier=x -> app=b'],
    ['/metadata/labels/app.kubernetes.io~1name', 'a', undefined, 'metadata.labels["app.kubernetes.io/name"] a -> (none)'],
    ['/spec', undefined, {}, 'spec (none) -> {}'],
    ['/spec/paused', undefined, true, 'paused (none) -> true'],
    ['/spec/template/spec/containers/0/image', '', 'x:1', 'template.spec.containers.0.image "" -> x:1'],
    ['/spec/ports', [{ port: 80 }], null, 'ports [{"port":80}] -> (none)'],
  ])('%s', (path, before, after, expected) => {
    expect(renderChange({ path, before, after })).toBe(expected);
  });
});
