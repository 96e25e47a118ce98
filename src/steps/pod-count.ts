/** `1 pod`, `2 pods` */
export const podCount = (count: number): string => (count === 1 ? '1 pod' : `${count} pods`);
