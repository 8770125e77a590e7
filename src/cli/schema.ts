import type { Command } from 'commander';
import { taskSchema } from '../core/task/schema';
import type { CliContext } from './context';

export function registerSchema(program: Command, context: CliContext): void {
  program
    .command('schema')
    .description('print the JSON Schema of task.toml')
    .action(() => {
      context.stdout.write(`${JSON.stringify(taskSchema(), null, 2)}\n`);
      context.finish(0);
    });
}
