/** The words for what a person can change about one host. In one place: they name flags. */
export const remedies = {
  plainHttp: (host: string): string => `if it speaks HTTP without TLS, say so: --plain-http ${host}`,
  ca: (host: string): string =>
    `if it is the right server, name the file with the CA that signed its certificate: --registry-ca ${host}=FILE`,
  privateRealm: (host: string): string => `if that token server is the right one, say so: --private-realm ${host}`,
  logIn: (host: string): string => `log in, and ask again: docker login ${host} (or podman login ${host})`,
  mayStillPull: 'a node may pull it all the same: its own credential plugins cannot be seen from here',
  askAgain: 'ask again later',
  compare: (url: string): string => `see what it says itself: curl -v '${url}'`,
} as const;
