/** A moment as the API writes it: RFC 3339 in whole seconds. Source: Kubernetes API reference, Time v1 meta. */
export const formatTime = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
