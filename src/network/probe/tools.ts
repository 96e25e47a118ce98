import type { Dial } from './dial.ts';
import { isTcpOnly, type FoundProgram, type Tool } from './tool.ts';
import { bash } from './tools/bash.ts';
import { curl } from './tools/curl.ts';
import { nc } from './tools/nc.ts';
import { node } from './tools/node.ts';
import { python } from './tools/python.ts';
import { wget } from './tools/wget.ts';

/** By the name of the program, the best first: those that tell most precisely what happened, and of these the quickest. */
const makers: Readonly<Record<string, (found: FoundProgram) => Tool | undefined>> = {
  curl,
  bash,
  python3: python,
  python,
  node,
  wget,
  nc,
  ncat: nc,
};

/** What is looked for in a container. */
export const programNames: readonly string[] = Object.keys(makers);

/** How a program that was found can ask; undefined where poimen does not know it. */
export const toolOf = (found: FoundProgram): Tool | undefined => makers[found.name]?.(found);

export const chooseTool = (tools: readonly Tool[], { http }: { readonly http: boolean }): Tool | undefined =>
  tools.find(({ can }) => (http ? can.http : can.tcp));

export const toolFor = (tools: readonly Tool[], dial: Dial): Tool | undefined => chooseTool(tools, { http: !isTcpOnly(dial) });
