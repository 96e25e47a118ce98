import { string } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import { outputFlag } from '../../command-line/flags.ts';
import { PoimenCommand } from '../../command-line/poimen-command.ts';
import { createProcessContext } from '../../command-line/process-context.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { createProcessTerminal } from '../../terminal/process-terminal.ts';

export default class TwinReset extends PoimenCommand {
  static override summary = 'take the twin of a folder back to its manifests, and forget what happened since';
  static override examples = ['<%= config.bin %> twin reset examples/llm-serving'];
  static override args = { folder: string({ required: true, description: 'the folder of manifests' }) };
  static override flags = {
    force: boolean({ summary: 'forget a run, too, that has not ended and could be taken up again' }),
    output: outputFlag('json'),
  };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(TwinReset);
    const [{ resetTwin }, { renderReset }, { renderJson }] = await Promise.all([
      import('../../operations/reset-twin.ts'),
      import('../../views/twin.ts'),
      import('../../views/json.ts'),
    ]);
    const result = await resetTwin(args.folder, { force: flags.force }, createProcessContext());
    createProcessTerminal().stdout.write(flags.output === 'json' ? renderJson(result) : renderReset(result));
    return exitCodes.done;
  }
}
