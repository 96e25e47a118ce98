/** Where the server is and how it is known to be the right one. */
export interface Endpoint {
  /** May have a path, as behind Rancher. */
  readonly server: URL;
  /** PEM; absent: the certificate authorities that Node trusts. */
  readonly certificateAuthority?: string;
  /** The name that the certificate must carry, where it is not the host's. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify: boolean;
  /** Ask for compressed answers: not on this machine, where that costs more than it saves. */
  readonly acceptsGzip?: boolean;
  /** A proxy that makes tunnels: `http:`, `https:`, `socks5:` or `socks5h:`. */
  readonly proxy?: URL;
}

/** PEM. What a client proves itself with during the handshake. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}
