import { bareNode, poimen } from './commands.ts';
import { median, milliseconds, type Figure } from './figure.ts';
import { measureFirstRequest, openSilentServer } from './first-request.ts';
import { measureProcess, type ProcessCost } from './process-cost.ts';

interface Subject {
  readonly what: string;
  readonly atMost: number;
  readonly measure: () => Promise<ProcessCost>;
}

const warmUps = 2;

/** How long poimen takes until it does what was asked, against a Node that does nothing. */
export const measureStartUp = async (rounds: number): Promise<readonly Figure[]> => {
  const server = await openSilentServer();
  try {
    const subjects: readonly Subject[] = [
      { what: '`poimen --version`', atMost: 1.15, measure: () => measureProcess(poimen(['--version'])) },
      { what: '`poimen cutover --help`, pre-rendered', atMost: 1.25, measure: () => measureProcess(poimen(['cutover', '--help'])) },
      { what: '`poimen lint runbooks/clef.yaml`', atMost: 3.7, measure: () => measureProcess(poimen(['lint', 'runbooks/clef.yaml'])) },
      {
        what: '`poimen plan clef`, from its start to its first request',
        atMost: 5.5,
        measure: () => measureFirstRequest(server, poimen(['plan', 'clef', '--no-probe', '--kubeconfig', server.kubeconfig])),
      },
    ];
    const baseline: ProcessCost[] = [];
    const costs = subjects.map((): ProcessCost[] => []);
    for (let round = -warmUps; round < rounds; round++) {
      const bare = await measureProcess(bareNode);
      if (round >= 0) baseline.push(bare);
      for (const [index, { measure }] of subjects.entries()) {
        const cost = await measure();
        if (round >= 0) costs[index]?.push(cost);
      }
    }
    return subjects.flatMap(({ what, atMost }, index) => compare(what, atMost, costs[index] ?? [], baseline));
  } finally {
    await server.close();
  }
};

const compare = (what: string, atMost: number, costs: readonly ProcessCost[], baseline: readonly ProcessCost[]): readonly Figure[] =>
  (['wallMs', 'cpuMs'] as const).map((part) => {
    const own = median(costs.map((cost) => cost[part]));
    const bare = median(baseline.map((cost) => cost[part]));
    return {
      what: `${what}: ${part === 'wallMs' ? 'wall' : 'CPU'}`,
      against: '`node -e 0`',
      value: own / bare,
      atMost,
      medians: { poimen: milliseconds(own), '`node -e 0`': milliseconds(bare) },
      rounds: costs.length,
    };
  });
