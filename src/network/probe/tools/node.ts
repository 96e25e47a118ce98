import { httpRequest } from '../dial.ts';
import { isTcpOnly, type FoundProgram, type Tool } from '../tool.ts';
import { readReport } from './report.ts';

export const node = ({ about }: FoundProgram): Tool => ({
  name: 'node',
  version: /^v(\d\S*)/m.exec(about)?.[1],
  can: { http: true, tcp: true },
  command: (dial) => [
    'node',
    '-e',
    script,
    '--',
    dial.host,
    String(dial.port),
    String(dial.timeoutMs),
    isTcpOnly(dial) ? '' : httpRequest(dial),
  ],
  read: readReport,
});

/** For old versions, too. Exits from `write`'s callback: what was written to a pipe may still be under way. */
const script = `
const [host, port, limit, request] = process.argv.slice(-4);
const start = process.hrtime();
const tell = (what, rest) => process.stderr.write('poimen ' + what + ' ' + (rest || '') + '\\n');
const ms = () => { const t = process.hrtime(start); return (t[0] * 1000 + t[1] / 1e6).toFixed(1); };
const end = (data) => { connection.destroy(); process.stdout.write(data, () => process.exit(0)); };
const chunks = []; let seen = 0;
const connection = require('net').connect({ host, port: Number(port) });
setTimeout(() => { tell('timeout'); end(Buffer.concat(chunks)); }, Number(limit));
connection.on('connect', () => {
  tell('connected', ms());
  if (request === '') return end(''); 
  connection.write(request);
});
connection.on('data', (data) => {
  if (seen === 0) tell('first', ms());
  seen += data.length; chunks.push(data);
  if (seen >= 65536) end(Buffer.concat(chunks));
});
connection.on('end', () => end(Buffer.concat(chunks)));
connection.on('error', (error) => { tell('failed', [error].concat(error.errors || []).map((e) => e.code + ' ' + e.message).join(' ')); end(Buffer.concat(chunks)); });
`;
