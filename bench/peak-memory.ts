/** Loaded before a program (`node --import`): leaves its peak memory, in kibibytes, in the file that PEAK_MEMORY_FILE names. */
import { writeFileSync } from 'node:fs';

const file = process.env['PEAK_MEMORY_FILE'];
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
