import type { Descriptor, Platform } from '../registry/image-source.ts';

/** `linux/arm64/v8`: as `docker --platform` takes it. */
export const platformText = ({ os, architecture, variant }: Platform): string =>
  [os, architecture, ...(variant === undefined ? [] : [variant])].join('/');

/** Reads `linux/amd64` and `linux/arm/v7`. Undefined: it is none. */
export const parsePlatform = (text: string): Platform | undefined => {
  const [os, architecture, variant, ...rest] = text.split('/');
  if (os === undefined || os === '' || architecture === undefined || architecture === '' || variant === '' || rest.length > 0)
    return undefined;
  return { os, architecture, ...(variant === undefined ? {} : { variant }) };
};

/** What an index is read for when nobody says for what: as other tools do. */
export const usualPlatform: Platform = { os: 'linux', architecture: 'amd64' };

/**
 * The child of an index that a node of this platform would take.
 *
 * Source: containerd, platforms: `arm64` means `arm64/v8`, `arm` means `arm/v7`; a child without a variant fits where the others are equal.
 */
export const childFor = (children: readonly Descriptor[], platform: Platform): Descriptor | undefined => {
  const fitting = children.filter(
    ({ platform: its }) => its !== undefined && its.os === platform.os && its.architecture === platform.architecture,
  );
  const wanted = variantOf(platform);
  return (
    fitting.find(({ platform: its }) => its !== undefined && variantOf(its) === wanted) ??
    (platform.variant === undefined ? fitting[0] : undefined)
  );
};

const variantOf = ({ architecture, variant }: Platform): string => {
  if (variant !== undefined) return variant;
  if (architecture === 'arm64') return 'v8';
  return architecture === 'arm' ? 'v7' : '';
};
