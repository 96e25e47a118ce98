import type { BlobDescriptor, ImageSource } from '../../registry/image-source.ts';
import { componentsOf } from './container-path.ts';
import type { LayerReference } from './file-in-image.ts';
import type { ReadContent } from './file-intake.ts';
import type { LayerLimits } from './layer-limits.ts';
import { LayerLookup, type LookupAnswer, type LayerSays } from './layer-lookup.ts';
import { LayerTrouble } from './layer-trouble.ts';
import { NameBudget, NameIndex } from './name-index.ts';
import { PathTrace, type Level } from './path-trace.ts';
import { scanLayer } from './scan-layer.ts';

/** Bytes that went through, for progress and for counting. */
export interface LayerListener {
  bytes(layer: LayerReference, stored: number, unpacked: number): void;
}

export interface LayerStackOptions {
  /** Lowest first, as in the manifest. */
  readonly layers: readonly BlobDescriptor[];
  /** Of the image's config, as many as there are layers. */
  readonly diffIds: readonly string[];
  /** Traced whenever a layer is read, so that each is read once for all of them. */
  readonly paths: readonly string[];
  readonly wantsBuildInfo: boolean;
  readonly limits: LayerLimits;
  readonly listener?: LayerListener;
  readonly signal?: AbortSignal;
}

/** A name for each of four million files: 64 MiB at most. */
const nameBudget = 2 ** 22;

interface KnownLayer {
  readonly reference: LayerReference;
  readonly descriptor: BlobDescriptor;
  readonly diffId: string;
  /** Complete, and of a layer that was verified. */
  index?: NameIndex;
  readonly traces: Map<string, PathTrace<ReadContent>>;
}

/** Why no answer can be given, as a sentence. */
export class UnreadableLayer extends Error {
  constructor(layer: LayerReference, { message, cause }: LayerTrouble) {
    super(`layer ${layer.number} of ${layer.of} (${layer.digest}) ${message}`, cause === undefined ? {} : { cause });
    this.name = 'UnreadableLayer';
  }
}

/** The layers of one image, read as far as the questions need it: from the top, each to its end, and again only for paths not traced yet. */
export class LayerStack {
  readonly #source: ImageSource;
  readonly #options: LayerStackOptions;
  /** Lowest first. */
  readonly #layers: readonly KnownLayer[];
  readonly #budget = new NameBudget(nameBudget);

  constructor(source: ImageSource, options: LayerStackOptions) {
    this.#source = source;
    this.#options = options;
    this.#layers = options.layers.map((descriptor, index) => ({
      reference: { number: index + 1, of: options.layers.length, digest: descriptor.digest },
      descriptor,
      diffId: options.diffIds[index] ?? '',
      traces: new Map(),
    }));
  }

  /** What is at `path`; no links are followed. Throws `UnreadableLayer`. */
  async lookup(path: string): Promise<LookupAnswer<ReadContent>> {
    for (;;) {
      const answer = await this.#lookupOnce(path);
      if (answer !== undefined) return answer;
    }
  }

  reference(layer: number): LayerReference {
    return this.#layer(layer).reference;
  }

  /** What one layer itself has at `path` before one of its entries: what a hard link means. */
  async withinLayer(layer: number, path: string, entryNumber: number): Promise<Level<ReadContent>['state']> {
    const { levels } = await this.#trace(layer, path, entryNumber);
    const lastButOne = levels.slice(0, -1).find(({ state }) => typeof state === 'object');
    return lastButOne === undefined ? (levels.at(-1)?.state ?? 'nothing') : 'nothing';
  }

  /** Reads what has not been read yet: "not there" is said of a whole image. */
  async verifyAll(): Promise<void> {
    for (const layer of this.#layers.keys()) if (this.#layer(layer).index === undefined) await this.#scan(layer, []);
  }

  /** Undefined: a layer had to be read closer, now the answer may be another. */
  async #lookupOnce(path: string): Promise<LookupAnswer<ReadContent> | undefined> {
    const lookup = new LayerLookup<ReadContent>(path);
    for (let layer = this.#layers.length - 1; layer >= 0; layer--) {
      const says = await this.#says(layer, path);
      const step = this.#blaming(layer, () => lookup.step(layer, says));
      if (step.kind === 'decided') return step.answer;
      if (step.kind === 'trace-first') {
        await this.#trace(step.layer, path);
        return undefined;
      }
    }
    const last = lookup.atBottom();
    if (last.kind === 'decided') return last.answer;
    if (last.kind === 'trace-first') await this.#trace(last.layer, path);
    return undefined;
  }

  async #says(layer: number, path: string): Promise<LayerSays<ReadContent>> {
    const { index, traces } = this.#layer(layer);
    if (index !== undefined && !traces.has(path)) {
      const directories = index.directoriesIfQuiet(prefixesOf(path));
      if (directories !== undefined) return { kind: 'quiet', directories };
    }
    return { kind: 'traced', trace: await this.#trace(layer, path) };
  }

  async #trace(layer: number, path: string, until?: number): Promise<PathTrace<ReadContent>> {
    const key = until === undefined ? path : `${until}:${path}`;
    const { traces } = this.#layer(layer);
    if (!traces.has(key)) await this.#scan(layer, [[key, new PathTrace<ReadContent>(path, until)]]);
    const trace = traces.get(key);
    if (trace === undefined) throw new Error(`layer ${layer} was not traced for ${path}`);
    return trace;
  }

  async #scan(layer: number, wanted: readonly (readonly [string, PathTrace<ReadContent>])[]): Promise<void> {
    const { source, options } = { source: this.#source, options: this.#options };
    const known = this.#layer(layer);
    const asked = options.paths.filter((path) => !known.traces.has(path)).map((path) => [path, new PathTrace<ReadContent>(path)] as const);
    const traces = new Map([...asked, ...wanted]);
    const index = known.index === undefined ? new NameIndex(this.#budget) : undefined;
    try {
      await scanLayer({
        source,
        layer: known.descriptor,
        diffId: known.diffId,
        traces: [...traces.values()],
        ...(index === undefined ? {} : { index }),
        wantsBuildInfo: options.wantsBuildInfo,
        limits: options.limits,
        onBytes: (stored, unpacked) => options.listener?.bytes(known.reference, stored, unpacked),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (error) {
      throw error instanceof LayerTrouble ? new UnreadableLayer(known.reference, error) : error;
    }
    if (index !== undefined) known.index = index;
    for (const [key, trace] of traces) known.traces.set(key, trace);
  }

  #blaming<T>(layer: number, decide: () => T): T {
    try {
      return decide();
    } catch (error) {
      throw error instanceof LayerTrouble ? new UnreadableLayer(this.reference(layer), error) : error;
    }
  }

  #layer(layer: number): KnownLayer {
    const known = this.#layers[layer];
    if (known === undefined) throw new Error(`no layer ${layer}`);
    return known;
  }
}

const prefixesOf = (path: string): readonly string[] => {
  const components = componentsOf(path);
  return components.map((_, index) => components.slice(0, index + 1).join('/'));
};
