import { fullImageName } from '../../kubernetes/image-name.ts';
import type { Node } from '../../kubernetes/node.ts';

/** Whether the node has an image, as far as it says. */
export type ImagePresence =
  | 'present'
  /** Not among those that it reports. It may report a part only. */
  | 'notReported'
  /** The node may not be read. */
  | 'unknown';

/**
 * A node reports its largest images, 50 by default, each under several names.
 *
 * Source: Kubernetes API reference, NodeStatus `images`; kubelet configuration `nodeStatusMaxImages`.
 */
export const imagePresence = (image: string, node: Node | undefined): ImagePresence => {
  if (node === undefined) return 'unknown';
  const wanted = fullImageName(image);
  const names = (node.status?.images ?? []).flatMap(({ names: all }) => all ?? []);
  return names.some((name) => fullImageName(name) === wanted) ? 'present' : 'notReported';
};
