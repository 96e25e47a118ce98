import { string } from '@oclif/core/args';
import { boolean, integer, string as text } from '@oclif/core/flags';
import { outputFlag } from '../../command-line/flags.ts';
import { readPace } from '../../command-line/served-pace.ts';
import { PoimenCommand } from '../../command-line/poimen-command.ts';
import { createProcessContext } from '../../command-line/process-context.ts';
import { untilInterrupted } from '../../command-line/interrupts.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { createProcessTerminal } from '../../terminal/process-terminal.ts';

export default class TwinServe extends PoimenCommand {
  static override summary = 'serve the twin of a folder of manifests as a Kubernetes API on 127.0.0.1, for kubectl and any other client';
  static override examples = [
    '<%= config.bin %> twin serve examples/llm-serving',
    '<%= config.bin %> twin serve examples/llm-serving --port 8001 --pace 60',
    '<%= config.bin %> twin serve examples/llm-serving --pace instant --open',
  ];
  static override args = { folder: string({ required: true, description: 'a folder of manifests, or a kustomization' }) };
  static override flags = {
    port: integer({ min: 0, max: 65_535, default: 0, helpValue: 'PORT', summary: 'the port; one that is free by default' }),
    pace: text({
      default: '1',
      helpValue: 'NUMBER|instant',
      summary: 'how many times as fast as real time the cluster lives; instant: after each request all that follows has happened',
    }),
    open: boolean({ summary: 'leave the secret out of the address: every program of this machine may do everything' }),
    fresh: boolean({ summary: 'forget what the twin remembers and start from its manifests' }),
    output: outputFlag('json'),
  };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(TwinServe);
    const { folder } = args;
    const { port, open, fresh } = flags;
    const pace = readPace(flags.pace);
    const [{ serveTwin }, { renderServing, servingDocument, servedEnd }, { renderJson }] = await Promise.all([
      import('../../operations/serve-twin.ts'),
      import('../../views/twin.ts'),
      import('../../views/json.ts'),
    ]);
    const terminal = createProcessTerminal();
    const { stdout, stderr } = terminal;
    const serving = await serveTwin({ folder, port, pace, open, fresh }, createProcessContext());
    const interrupted = untilInterrupted(terminal);
    stdout.write(flags.output === 'json' ? renderJson(servingDocument(serving)) : `export KUBECONFIG=${serving.kubeconfig}\n`);
    stderr.write(renderServing(serving, open));
    try {
      await Promise.race([interrupted, serving.failed]);
    } finally {
      await serving.close();
    }
    stderr.write(servedEnd(serving));
    return exitCodes.done;
  }
}
