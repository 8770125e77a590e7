import type { Command } from 'commander';
import { rules } from '../core/rules/catalogue';
import { settingsSchema } from '../core/settings/schema';
import { taskSchema } from '../core/task/schema';
import type { CliContext } from './context';

export function registerSchema(program: Command, context: CliContext): void {
  program
    .command('schema')
    .description('print the JSON Schema of task.toml')
    .option('--settings', 'that of taskwright.toml instead')
    .action(({ settings = false }: { readonly settings?: boolean }) => {
      const schema = settings ? settingsSchema(rules.map(({ id }) => id)) : taskSchema();
      context.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
      context.finish(0);
    });
}
