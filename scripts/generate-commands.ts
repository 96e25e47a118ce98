import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderCommandsPage } from './commands-page.ts';
import { describeCommands } from './describe-commands.ts';

// Writes docs/commands.md. A test fails when the committed file differs.

const root = join(import.meta.dirname, '..');
writeFileSync(join(root, 'docs/commands.md'), renderCommandsPage(await describeCommands()));
