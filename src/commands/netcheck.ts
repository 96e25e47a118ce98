import { string } from '@oclif/core/args';
import { boolean, integer, option, string as text } from '@oclif/core/flags';
import { clusterFlags, outputFlag } from '../command-line/flags.ts';
import { netcheckQuestion } from '../command-line/netcheck-request.ts';
import { PoimenCommand } from '../command-line/poimen-command.ts';
import { createProcessContext } from '../command-line/process-context.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { createProcessTerminal } from '../terminal/process-terminal.ts';
import { writeParts } from '../terminal/write-parts.ts';

export default class Netcheck extends PoimenCommand {
  static override summary = 'say whether one may reach another by the policies, and whose rule decides it';
  static override examples = [
    '<%= config.bin %> netcheck deploy/poimen-memory.poimen svc/clef-serve.llm-serving --port 80',
    '<%= config.bin %> netcheck -f examples/llm-serving app=poimen-graphql,ns=poimen svc/clef-serve.llm-serving --expect allowed',
    '<%= config.bin %> netcheck -f examples/llm-serving --as app=x,ns=default svc/clef-serve.llm-serving --fix',
    '<%= config.bin %> netcheck -f examples/llm-serving --matrix --port 8080',
    '<%= config.bin %> netcheck --diff OLD NEW',
    '<%= config.bin %> netcheck -f examples/llm-serving --only-from deploy/poimen-memory.poimen svc/poimen-graphql.poimen',
  ];
  static override args = {
    from: string({
      description:
        'KIND/NAME.NAMESPACE, ns/NAME, labels (app=x,ns=NAMESPACE), an address or a range; as:LABELS for a pod that is not there',
    }),
    to: string({ description: 'the same' }),
  };
  static override flags = {
    filename: text({
      char: 'f',
      helpValue: 'PATH',
      exclusive: ['twin', 'context', 'kubeconfig'],
      summary: 'judge the manifests in this folder, kustomization or file',
    }),
    port: integer({ min: 1, max: 65_535, summary: 'the port that is dialled: of a Service its own' }),
    protocol: option({ options: ['TCP', 'UDP', 'SCTP'] as const, helpValue: 'TCP|UDP|SCTP', summary: 'the protocol; TCP by default' })(),
    expect: option({
      options: ['allowed', 'denied'] as const,
      helpValue: 'allowed|denied',
      summary: 'exit with 0 if it is so, else with 7',
    })(),
    'only-from': text({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FROM',
      summary: 'ask whether TO is reached by this one only; may be given more than once',
    }),
    fix: boolean({ summary: 'print the smallest rule that would open the path; -o yaml prints nothing else' }),
    cni: text({ helpValue: 'NAME', summary: 'what the network plugin decides: antrea, aws, calico, cilium, kube-router, ovn' }),
    matrix: boolean({ exclusive: ['diff', 'before-apply', 'only-from'], summary: 'who reaches whom, on what; with --port: on this one' }),
    diff: boolean({
      exclusive: ['before-apply', 'only-from'],
      summary: 'compare the manifests of two folders, OLD and NEW: who gains and who loses what',
    }),
    'before-apply': text({ helpValue: 'PATH', exclusive: ['only-from'], summary: 'what applying these manifests would open and shut' }),
    output: outputFlag('json', 'yaml', 'junit', 'dot', 'mermaid', 'markdown'),
    ...clusterFlags,
    as: text({
      helpGroup: 'CLUSTER',
      helpValue: 'LABELS|USER',
      summary: 'with "=": ask for a client that does not exist yet (app=x,ns=NAMESPACE); without: act as this user',
    }),
    twin: text({
      helpGroup: 'CLUSTER',
      helpValue: 'FOLDER',
      exclusive: ['context', 'kubeconfig', 'cluster', 'user'],
      summary: clusterFlags.twin.summary ?? '',
    }),
  };

  override async run(): Promise<number> {
    const { args, flags } = await this.parse(Netcheck);
    const { stdout } = createProcessTerminal();
    const question = netcheckQuestion(args, flags);
    const [{ answerNetcheck }, { renderNetcheck }] = await Promise.all([
      import('../operations/answer-netcheck.ts'),
      import('../views/netcheck/render.ts'),
    ]);
    const { result, outcome } = await answerNetcheck(question, createProcessContext());
    await writeParts(stdout.stream, renderNetcheck(result, flags.output, stdout.style));
    return exitCodes[outcome];
  }
}
