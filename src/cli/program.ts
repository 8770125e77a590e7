import { Command, CommanderError } from 'commander';
import type { CliContext, Register } from './context';
import { errorDocument } from './error-document';

/** Builds the command line. `registers` are the commands, in the order in which `--help` lists them. */
export function buildProgram(context: CliContext, registers: readonly Register[]): Command {
  const program = new Command('taskwright');
  program
    .description(
      'Prove that a task for AI agents is sound: that it can be solved, and that nothing less earns its reward.',
    )
    .version(context.version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(add --help for what can be said here)')
    .configureHelp({ sortSubcommands: false, helpWidth: context.stdout.columns })
    .configureOutput({
      writeOut: (text) => {
        context.stdout.write(text);
      },
      writeErr: (text) => {
        context.stderr.write(text);
      },
      getOutHelpWidth: () => context.stdout.columns,
      getErrHelpWidth: () => context.stderr.columns,
      getOutHasColors: () => context.stdout.color,
      getErrHasColors: () => context.stderr.color,
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 all well; 1 findings, or a gate that failed or was not proven; 2 could not run; 130 cancelled.',
    )
    .exitOverride();
  for (const register of registers) register(program, context);
  return program;
}

/**
 * Parses and runs. Help and version end with 0, anything the command line does not understand with 2. What a command
 * throws is a bug and is passed on.
 */
export async function runProgram(program: Command, context: CliContext, args: readonly string[]): Promise<void> {
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      context.finish(2);
      return;
    }
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0 && asksForJson(args)) context.stdout.write(errorDocument(error.message));
    context.finish(error.exitCode === 0 ? 0 : 2);
  }
}

/** Read by hand, since the parser gave up on this very command line. */
function asksForJson(args: readonly string[]): boolean {
  return args.some((arg, at) => arg === '--format=json' || (arg === 'json' && args[at - 1] === '--format'));
}
