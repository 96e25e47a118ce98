/** Milliseconds since the Unix epoch as RFC 3339 with milliseconds, UTC. */
export const rfc3339 = (ms: number): string => new Date(ms).toISOString();
