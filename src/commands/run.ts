import { string } from '@oclif/core/args';
import { clusterFlags, outputFlag, planFlags, yesFlag } from '../command-line/flags.ts';
import { makePlan } from '../command-line/make-plan.ts';
import { performRun } from '../command-line/perform-run.ts';
import { programName } from '../command-line/program-name.ts';
import { PoimenCommand } from '../command-line/poimen-command.ts';
import { runbookSource } from '../command-line/runbook-source.ts';
import { createProcessTerminal } from '../terminal/process-terminal.ts';

export default class Run extends PoimenCommand {
  static override summary = 'run a runbook: plan, confirm, run';
  static override examples = ['<%= config.bin %> run clef', '<%= config.bin %> run runbooks/clef.yaml --set replicas=2 --yes'];
  static override args = { runbook: string({ required: true, description: 'a name (runbooks/NAME.yaml) or a .yaml file' }) };
  static override flags = { yes: yesFlag, ...planFlags, output: outputFlag('json', 'jsonl'), ...clusterFlags };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(Run);
    const terminal = createProcessTerminal();
    const invocation = [programName(process.env), 'run', ...this.argv];
    const planned = await makePlan(runbookSource(args.runbook), flags, invocation, terminal);
    try {
      return await performRun(planned, { yes: flags.yes, output: flags.output, invocation }, terminal);
    } finally {
      await planned.close();
    }
  }
}
