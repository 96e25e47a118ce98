import { string as stringArgument } from '@oclif/core/args';
import { integer, string } from '@oclif/core/flags';
import { clusterFlags, outputFlag, planFlags, yesFlag } from '../command-line/flags.ts';
import { makePlan } from '../command-line/make-plan.ts';
import { performRun } from '../command-line/perform-run.ts';
import { programName } from '../command-line/program-name.ts';
import { PoimenCommand } from '../command-line/poimen-command.ts';
import { cutoverSource } from '../command-line/cutover-source.ts';
import { createProcessTerminal } from '../terminal/process-terminal.ts';

export default class Cutover extends PoimenCommand {
  static override summary = 'hand a Service over from one workload to another that cannot run beside it';
  static override examples = [
    '<%= config.bin %> cutover clef',
    '<%= config.bin %> cutover clef --reverse',
    '<%= config.bin %> cutover clef --twin examples/llm-serving',
    '<%= config.bin %> cutover svc/clef-serve -n llm-serving --from deploy/clef-serve --to deploy/clef-candle --client deploy/poimen-memory.poimen',
  ];
  static override args = {
    what: stringArgument({
      required: true,
      description: 'a runbook (a name or a .yaml file), or svc/NAME[.NAMESPACE] with --from and --to',
    }),
  };
  static override flags = {
    yes: yesFlag,
    from: string({ helpValue: 'KIND/NAME', helpGroup: 'HAND-OVER', summary: 'the workload that serves now, where no runbook says it' }),
    to: string({ helpValue: 'KIND/NAME', helpGroup: 'HAND-OVER', summary: 'the workload that shall serve' }),
    client: string({ helpValue: 'KIND/NAME', helpGroup: 'HAND-OVER', summary: 'the workload from whose side reachability is judged' }),
    port: integer({
      helpValue: 'PORT',
      helpGroup: 'HAND-OVER',
      min: 1,
      max: 65535,
      summary: "the Service's port; needed where it has several",
    }),
    path: string({ helpValue: 'PATH', helpGroup: 'HAND-OVER', summary: 'the HTTP path to ask; without it, a connection is enough' }),
    replicas: integer({ helpValue: 'NUMBER', helpGroup: 'HAND-OVER', min: 1, summary: 'how many pods of the new workload' }),
    ...planFlags,
    output: outputFlag('json', 'jsonl'),
    ...clusterFlags,
  };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(Cutover);
    const terminal = createProcessTerminal();
    const invocation = [programName(process.env), 'cutover', ...this.argv];
    const planned = await makePlan(cutoverSource(args.what, flags), flags, invocation, terminal);
    try {
      return await performRun(planned, { yes: flags.yes, output: flags.output, invocation }, terminal);
    } finally {
      await planned.close();
    }
  }
}
