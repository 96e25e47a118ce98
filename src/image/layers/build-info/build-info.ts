/** What a binary says of how it was built. It is what its builder wrote: strong about which bytes, weak about where from. */
export type BuildInfo = GoBuildInfo | CargoBuildInfo;

/** Source: Go, debug/buildinfo and runtime/debug.BuildInfo; printed by `go version -m`. */
export interface GoBuildInfo {
  readonly kind: 'go';
  readonly goVersion: string;
  /** Of the main package. */
  readonly path?: string;
  readonly main?: GoModule;
  readonly dependencies: readonly GoModule[];
  /** `vcs.revision`, `vcs.time`, `-ldflags` and so on. */
  readonly settings: Readonly<Record<string, string>>;
  /** `vcs.revision`: the commit that was checked out. */
  readonly revision?: string;
  /** `vcs.modified`: whether the working tree differed from it. */
  readonly isModified?: boolean;
}

export interface GoModule {
  readonly path: string;
  readonly version: string;
  readonly sum?: string;
  /** What was really built in its place. */
  readonly replacedBy?: GoModule;
}

/** Packages that a Rust program was built from; no commit. Source: cargo-auditable, "Auditable data format". */
export interface CargoBuildInfo {
  readonly kind: 'cargo';
  readonly packages: readonly CargoPackage[];
  /** The program's own. */
  readonly root?: CargoPackage;
}

export interface CargoPackage {
  readonly name: string;
  readonly version: string;
  /** `crates.io`, `git`, `local`, `registry` or another word of its builder. */
  readonly source: string;
  readonly kind: 'build' | 'runtime';
}
