import { expect, it } from 'vitest';
import { exitCodes } from '../../src/errors/exit-codes.ts';

it('exit codes are an interface: scripts rely on these numbers', () => {
  expect(exitCodes).toEqual({
    done: 0,
    unexpected: 1,
    usage: 2,
    refused: 3,
    rolledBack: 4,
    halted: 5,
    locked: 6,
    no: 7,
    unknown: 8,
    interrupted: 130,
  });
});
