import { expect, it } from 'vitest';
import { fullImageName } from '../../src/kubernetes/image-name.ts';

it.each([
  ['busybox', 'docker.io/library/busybox:latest'],
  ['busybox:1.36', 'docker.io/library/busybox:1.36'],
  ['curlimages/curl', 'docker.io/curlimages/curl:latest'],
  ['docker.io/busybox:1.36', 'docker.io/library/busybox:1.36'],
  ['index.docker.io/library/busybox:1.36', 'docker.io/library/busybox:1.36'],
  ['registry.example/team/tools:2', 'registry.example/team/tools:2'],
  ['registry.example:5000/tools', 'registry.example:5000/tools:latest'],
  ['localhost/tools', 'localhost/tools:latest'],
  ['tools:1@sha256:abc', 'docker.io/library/tools@sha256:abc'],
])('%s is %s', (image, full) => {
  expect(fullImageName(image)).toBe(full);
});
