import { string } from '@oclif/core/args';
import { outputFlag } from '../command-line/flags.ts';
import { PoimenCommand } from '../command-line/poimen-command.ts';
import { createProcessContext } from '../command-line/process-context.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { createProcessTerminal } from '../terminal/process-terminal.ts';
import { renderJson } from '../views/json.ts';
import { renderLint } from '../views/lint.ts';

export default class Lint extends PoimenCommand {
  static override summary = 'check runbooks, manifests and kustomizations: every mistake, with its place';
  static override examples = [
    '<%= config.bin %> lint runbooks',
    '<%= config.bin %> lint examples/llm-serving',
    '<%= config.bin %> lint runbooks/clef.yaml -o json',
  ];
  static override args = { path: string({ required: true, multiple: true, description: 'files, and folders of .yaml and .json files' }) };
  static override flags = { output: outputFlag('json') };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(Lint);
    const { lint } = await import('../operations/lint.ts');
    const result = await lint(args.path, createProcessContext());
    const { stdout } = createProcessTerminal();
    stdout.write(flags.output === 'json' ? renderJson(result) : renderLint(result, stdout.style));
    return result.diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.no : exitCodes.done;
  }
}
