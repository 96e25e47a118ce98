import { string } from '@oclif/core/args';
import { clusterFlags, outputFlag, planFlags } from '../command-line/flags.ts';
import { makePlan } from '../command-line/make-plan.ts';
import { PoimenCommand } from '../command-line/poimen-command.ts';
import { runbookSource } from '../command-line/runbook-source.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { createProcessTerminal } from '../terminal/process-terminal.ts';
import { printable } from '../terminal/printable.ts';
import { renderJson } from '../views/json.ts';
import { renderPlan } from '../views/plan.ts';

export default class Plan extends PoimenCommand {
  static override summary = 'show what a run of a runbook would do, and change nothing';
  static override examples = [
    '<%= config.bin %> plan clef',
    '<%= config.bin %> plan runbooks/clef.yaml --twin examples/llm-serving -o json',
  ];
  static override args = { runbook: string({ required: true, description: 'a name (runbooks/NAME.yaml) or a .yaml file' }) };
  static override flags = { ...planFlags, output: outputFlag('json'), ...clusterFlags };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(Plan);
    const terminal = createProcessTerminal();
    const planned = await makePlan(runbookSource(args.runbook), flags, ['plan', ...this.argv], terminal);
    try {
      const { plan } = planned;
      terminal.stdout.write(flags.output === 'json' ? renderJson(plan) : renderPlan(printable(plan), terminal.stdout.style));
      return plan.blockers.length > 0 ? exitCodes.refused : exitCodes.done;
    } finally {
      await planned.close();
    }
  }
}
