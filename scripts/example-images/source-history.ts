/** A commit of the example's made-up server: what the files are after it. */
export interface SourceCommit {
  readonly name: 'first' | 'convolution' | 'route' | 'fix' | 'after';
  /** RFC 3339, in UTC. */
  readonly date: string;
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

const readme = `# candle-vllm

A made-up server for language models. It exists so that the images of an example have a history to be judged by.
`;

const serverBefore = `pub fn routes() -> Vec<Route> {
    vec![get("/health", health), post("/v1/completions", completions)]
}
`;

const server = `pub fn routes() -> Vec<Route> {
    vec![
        get("/health", health),
        post("/v1/completions", completions),
        post("/v1/systemone", system_one),
    ]
}
`;

const convolution = (keyBand: string): string => `/// Causal convolution over the channels of query, key and value.
pub fn causal_conv(input: &Tensor, weights: &Weights) -> Tensor {
    let bands = input.split(3);
    let query = bands[0].conv(&weights.query);
    let key = ${keyBand};
    let value = bands[2].conv(&weights.value);
    concat(&[query, key, value])
}
`;

const zeroed = convolution('Tensor::zeros_like(&bands[1])');
const right = convolution('bands[1].conv(&weights.key)');

/**
 * The id of the commit \`fix\` begins with f3c00b2, which the example's runbooks and texts name: the digits of its last line were varied until it did. Whoever
 * changes anything up to that commit has to look for another one: \`node scripts/make-example-images.ts --find-fix\`.
 */
export const sourceHistory: readonly SourceCommit[] = [
  {
    name: 'first',
    date: '2026-08-03T09:12:00Z',
    message: 'Serve models over HTTP',
    files: { 'README.md': readme, 'src/server.rs': serverBefore },
  },
  {
    name: 'convolution',
    date: '2026-08-20T14:40:00Z',
    message: 'Causal convolution for linear attention',
    files: { 'src/causal_conv.rs': zeroed },
  },
  { name: 'route', date: '2026-09-14T08:05:00Z', message: 'Answer on /v1/systemone', files: { 'src/server.rs': server } },
  {
    name: 'fix',
    date: '2026-10-28T16:31:00Z',
    message: `Causal convolution: keep the key band

It was filled with zeros, so that every layer with linear attention returned zeros: well-formed answers with the wrong content.

Change-Id: ac06e762b17aad65`,
    files: { 'src/causal_conv.rs': right },
  },
  {
    name: 'after',
    date: '2026-11-05T10:20:00Z',
    message: "Say the model's name at start",
    files: { 'src/main.rs': 'fn main() {\n    println!("serving {}", model_name());\n    serve(routes());\n}\n' },
  },
];
