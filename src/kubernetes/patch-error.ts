export type PatchErrorCode = 'TestFailed' | 'PathMissing' | 'Malformed' | 'UnsupportedMediaType';

/**
 * A patch does not apply. An API server answers 422 to `TestFailed` and `PathMissing`, 400 to `Malformed` and 415 to
 * `UnsupportedMediaType`.
 */
export class PatchError extends Error {
  readonly code: PatchErrorCode;
  /** JSON Pointer of the place that it failed at, where there is one. */
  readonly path: string | undefined;

  constructor(code: PatchErrorCode, message: string, path?: string) {
    super(message);
    this.name = 'PatchError';
    this.code = code;
    this.path = path;
  }
}
