import { string } from '@oclif/core/args';
import { clusterFlags, outputFlag, planFlags, readClusterFlags, readSettings, yesFlag } from '../command-line/flags.ts';
import { paceFor } from '../command-line/pace.ts';
import { performRun } from '../command-line/perform-run.ts';
import { PoimenCommand } from '../command-line/poimen-command.ts';
import { createProcessContext } from '../command-line/process-context.ts';
import { runbookSource } from '../command-line/runbook-source.ts';
import { createProcessTerminal } from '../terminal/process-terminal.ts';

export default class Run extends PoimenCommand {
  static override summary = 'run a runbook: plan, confirm, run';
  static override examples = ['<%= config.bin %> run clef', '<%= config.bin %> run runbooks/clef.yaml --set replicas=2 --yes'];
  static override args = { runbook: string({ required: true, description: 'a name (runbooks/NAME.yaml) or a .yaml file' }) };
  static override flags = { yes: yesFlag, ...planFlags, output: outputFlag('json', 'jsonl'), ...clusterFlags };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(Run);
    const { planRunbook } = await import('../operations/plan-runbook.ts');
    const terminal = createProcessTerminal();
    const request = {
      source: runbookSource(args.runbook),
      cluster: { ...readClusterFlags(flags), pace: paceFor(terminal) },
      set: readSettings(flags.set),
      reverse: flags.reverse,
      probe: !flags['no-probe'],
      invocation: ['run', ...this.argv],
    };
    const planned = await planRunbook(request, createProcessContext());
    try {
      return await performRun(planned, { yes: flags.yes, output: flags.output, invocation: request.invocation }, terminal);
    } finally {
      await planned.close();
    }
  }
}
