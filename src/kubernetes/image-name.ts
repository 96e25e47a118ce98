/**
 * An image's name with everything in it that is left out as a rule: `busybox` is `docker.io/library/busybox:latest`.
 *
 * Source: distribution/reference, ParseDockerRef; Kubernetes, "Images".
 */
export const fullImageName = (image: string): string => {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  const registry = !hasRegistry || first === 'index.docker.io' ? 'docker.io' : first;
  const rest = hasRegistry ? image.slice(slash + 1) : image;
  const path = registry === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest;
  const at = path.indexOf('@');
  if (at >= 0) return `${registry}/${path.slice(0, at).replace(/:[^:/]*$/, '')}${path.slice(at)}`; // the digest decides
  return /:[^/]*$/.test(path) ? `${registry}/${path}` : `${registry}/${path}:latest`;
};
