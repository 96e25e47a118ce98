import { string } from '@oclif/core/args';
import { outputFlag } from '../../command-line/flags.ts';
import { PoimenCommand } from '../../command-line/poimen-command.ts';
import { createProcessContext } from '../../command-line/process-context.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { createProcessTerminal } from '../../terminal/process-terminal.ts';

export default class TwinStatus extends PoimenCommand {
  static override summary = 'say whether the twin of a folder is served, where and since when, and what it holds';
  static override examples = [
    '<%= config.bin %> twin status examples/llm-serving',
    '<%= config.bin %> twin status examples/llm-serving -o json',
  ];
  static override args = { folder: string({ required: true, description: 'the folder of manifests' }) };
  static override flags = { output: outputFlag('json') };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(TwinStatus);
    const [{ readTwinStatus }, { renderTwinStatus }, { renderJson }] = await Promise.all([
      import('../../operations/read-twin-status.ts'),
      import('../../views/twin.ts'),
      import('../../views/json.ts'),
    ]);
    const status = await readTwinStatus(args.folder, createProcessContext());
    createProcessTerminal().stdout.write(flags.output === 'json' ? renderJson(status) : renderTwinStatus(status));
    return exitCodes.done;
  }
}
